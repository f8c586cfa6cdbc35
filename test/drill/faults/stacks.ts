/** What happens to a Pulumi stack: killed in the middle, begun twice, its state set back. */
import { readFileSync } from "node:fs";
import type { EngineEvent, Stack } from "@pulumi/pulumi/automation/index.js";
import { childrenOf } from "../../../packages/lab/src/cluster/host/processes.ts";
import { testStack } from "../../../scripts/lib/engine/engine.ts";
import { typed } from "../../../scripts/lib/lab/lab.ts";
import { pageBlock } from "../../../scripts/lib/pages/page-blocks.ts";
import { descendantsOf } from "../../support/lab/processes.ts";
import { Breach, type Fault, nothing } from "../fault.ts";
import type { Platform } from "../platform.ts";

/** How many objects the container more has, at least: the `up` that makes it is killed at one of them. */
const objects = 8;

/** Pulumi's own program, of the `up` that this program runs. */
function pulumiPid(): number {
  const found = childrenOf(process.pid).find((pid) => {
    const [program = "", operation] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    return program.endsWith("pulumi") && operation === "up";
  });
  if (found === undefined) throw new Error("no `pulumi up` runs");
  return found;
}

/** Kills it with all that it started: an `up` that is still killed gently would write its state. */
function killPulumi(): void {
  for (const { pid } of descendantsOf(pulumiPid())) process.kill(pid, "SIGKILL");
}

/** Runs lines of docs/runbooks.md for this stack. Its program is not in a folder, so what needs it runs by itself. */
async function follow({ name, workspace }: Stack, mark: string): Promise<void> {
  const block = await pageBlock("docs/runbooks.md", "sh", mark);
  const { name: project } = await workspace.projectSettings();
  const script = block
    .replaceAll("team-a", name)
    .replaceAll(/(stacks|history)\/drawbridge/g, `$1/${project}`);
  const env = { ...workspace.envVars, PULUMI_SKIP_CONFIRMATIONS: "true" };
  await typed(script, { cwd: workspace.workDir, env, timeoutSeconds: 120 });
}

/** What the page says of an interrupted `up`: the same program again, which is its line with "&& pulumi preview". */
async function goOn(stack: Stack): Promise<void> {
  const cut = await stack.exportStack().then(
    () => false,
    (error: Error) => error.message.includes("failed to load checkpoint"),
  );
  if (cut) await follow(stack, ".json.bak");
  await follow(stack, "pulumi cancel");
  const refused = await stack.up().then(
    () => undefined,
    (error: Error) => error,
  );
  if (refused !== undefined) {
    if (!refused.message.includes("already exists")) throw refused;
    Object.assign(stack.workspace.envVars, takingOver);
    try {
      await stack.up();
    } finally {
      for (const setting of Object.keys(takingOver)) delete stack.workspace.envVars[setting];
    }
    await stack.up();
    await follow(stack, "managedFields");
    await stack.refresh();
  }
  await stack.preview({ expectNoChanges: true });
}

const takingOver = { PULUMI_K8S_UPSERT_EXISTING_OBJECTS: "true", PULUMI_K8S_ENABLE_PATCH_FORCE: "true" };

/** Takes the container away that the fault was about. */
async function withoutExtra({ stack, vary }: Platform): Promise<void> {
  vary({ extra: false });
  await stack.up();
  await stack.preview({ expectNoChanges: true });
}

/** Puts a stack's state on a disk of its own, which is full after a part of an `up`. */
const toSmallDisk = (backend: string, part: number) => `
used=$(du --summarize --block-size=4096 ${backend} | cut -f 1)
written=$(du --summarize --block-size=4096 ${backend}/.pulumi/stacks | cut -f 1)
mv ${backend} ${backend}.before
mkdir ${backend}
mount -t tmpfs -o size=$((4096 * (used + 4 + written * ${Math.round(part * 100)} / 100))) none ${backend}
cp --archive ${backend}.before/. ${backend}
rm -r ${backend}.before
`;

const toLargeDisk = (backend: string) => `
cp --archive ${backend} ${backend}.after
umount ${backend}
rmdir ${backend}
mv ${backend}.after ${backend}
`;

const isMade = (event: EngineEvent) => event.resourcePreEvent?.metadata.op === "create";

export const stackFaults: readonly Fault[] = [
  {
    name: "up-killed",
    lasts: [0, 5],
    async inject(pick, platform) {
      const at = 1 + Math.floor(pick * objects);
      let made = 0;
      let killed = false;
      platform.vary({ extra: true });
      const onEvent = (event: EngineEvent) => {
        if (isMade(event)) made += 1;
        if (made < at || killed) return;
        killed = true;
        killPulumi();
      };
      const ended = await platform.stack.up({ onEvent }).then(
        () => "well",
        (error: Error) => {
          if (!killed) throw error;
          return "killed";
        },
      );
      const heal = async () => {
        await goOn(platform.stack);
        await withoutExtra(platform);
      };
      // It ends well where the last of what it wrote is read after its end: then nothing was broken.
      return { target: `at object ${at}, ended ${ended}`, mayEnd: nothing, heal };
    },
  },
  {
    name: "backend-full",
    lasts: [0, 5],
    async inject(pick, platform) {
      const { stack, backend, vary } = platform;
      await typed(toSmallDisk(backend, pick));
      vary({ extra: true });
      const answer = await stack.up().then(
        () => "it went well",
        (error: Error) => error.message,
      );
      const heal = async () => {
        await typed(toLargeDisk(backend));
        if (!answer.includes("no space left on device")) {
          throw new Breach(`\`up\` did not say that the disk was full: ${answer}`);
        }
        await goOn(stack);
        await withoutExtra(platform);
      };
      return { target: `with ${Math.round(pick * 100)} % of an \`up\` to go`, mayEnd: nothing, heal };
    },
  },
  {
    name: "two-ups",
    lasts: [0, 0],
    async inject(_, platform) {
      const { stack, backend, vary } = platform;
      vary({ extra: true });
      const begun = Promise.withResolvers<void>();
      const first = stack.up({
        onEvent: (event) => {
          if (isMade(event)) begun.resolve();
        },
      });
      await Promise.race([begun.promise, first]);
      const second = await testStack(async () => ({}), { backend });
      const answer = await second.stack.up().then(
        () => "it was let in",
        (error: Error) => error.message,
      );
      await first;
      const heal = async () => {
        if (!answer.includes("the stack is currently locked by 1 lock(s)")) {
          throw new Breach(`a second \`up\` of the stack was not refused: ${answer}`);
        }
        await withoutExtra(platform);
      };
      return { target: "the stack", mayEnd: nothing, heal };
    },
  },
  {
    name: "state-older",
    lasts: [0, 0],
    // A back-up of before the last change, put back over it.
    async inject(_, platform) {
      const { stack, vary, guests } = platform;
      const old = await stack.exportStack();
      vary({ guests: [] });
      await stack.up();
      await stack.importStack(old);
      vary({ guests: [guests.now.publicKey] });
      const heal = async () => {
        await stack.up({ refresh: true });
        await stack.preview({ expectNoChanges: true });
      };
      return { target: "the stack", mayEnd: nothing, heal };
    },
  },
];
