/** The same team from TypeScript, Python and Go, on a cluster. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { imageRef, silentProgress } from "@drawbridge-iac/lab";
import { teamNamespace } from "@drawbridge-iac/manifests";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Given, team } from "../programs/languages/team.ts";
import { podNetwork, testSeed } from "../support/cluster.ts";
import { eventually, kubectl, Laptop, run } from "../support/lab.ts";
import { languagePrograms } from "../support/language-programs.ts";
import { expectSuccess } from "../support/outsider.ts";
import { stackOf } from "../support/remote.ts";
import { languageEnv } from "../support/sdks.ts";

const namespace = "team-languages";
const languages = ["Python", "Go"] as const;
type Language = (typeof languages)[number];

let folder: string;
let laptop: Laptop;
let programs: Awaited<ReturnType<typeof languagePrograms>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawbridge-languages-"));
  laptop = await Laptop.create("languages");
  programs = await languagePrograms(silentProgress);
  await kubectl(["apply", "-f", "-"], JSON.stringify(teamNamespace(namespace, [podNetwork])));
});

afterAll(async () => {
  await kubectl(["delete", "namespace", namespace, "--ignore-not-found", "--wait=false"]);
  await rm(folder, { recursive: true, force: true });
  await laptop.remove();
});

const given = (greeting: string): Given => ({
  gateway: "gw-languages",
  namespace,
  images: { proxy: "auto", container: imageRef("devcontainer") },
  keys: [laptop.publicKey],
  seed: testSeed,
  greeting,
});

interface Result {
  readonly changes: Record<string, number>;
  readonly outputs: Record<string, string>;
}

/** Runs an operation of a language's program on the stack whose state is in `backend`; returns what it prints. */
async function operation(
  language: Language,
  backend: string,
  name: "preview" | "up" | "destroy",
  greeting = "hello",
  more: Record<string, string> = {},
): Promise<string> {
  const [command = "", ...args] = programs[language];
  const { stdout } = await expectSuccess(
    run(command, [...args, name], {
      env: { ...(await languageEnv(backend)), ...more, DRAWBRIDGE_TEAM: JSON.stringify(given(greeting)) },
      timeoutSeconds: 900,
    }),
  );
  return stdout;
}

async function up(language: Language, backend: string, greeting?: string): Promise<Result> {
  return JSON.parse(await operation(language, backend, "up", greeting)) as Result;
}

/** How many resources a preview would make, change or leave alone. */
async function plan(language: Language, backend: string): Promise<Record<string, number>> {
  const digest = await operation(language, backend, "preview", "hello", { PULUMI_OPTION_JSON: "true" });
  return JSON.parse(digest.slice(digest.indexOf("{"))).changeSummary;
}

async function login(outputs: Result["outputs"], command: string): Promise<string> {
  await laptop.configure(outputs.sshConfig ?? "", outputs.knownHosts ?? "");
  const outcome = await eventually(
    "a login",
    async () => {
      const tried = await laptop.ssh(["dev1", command]);
      if (tried.code === 255) throw new Error(tried.stderr);
      return tried;
    },
    120,
  );
  return outcome.stdout;
}

const stateOf = (name: string) => mkdtemp(join(folder, `state-${name}-`));

/** What a stack makes in the team's namespace, and what others keep there. */
function objects(): Promise<string> {
  const kinds =
    "statefulsets,pods,services,secrets,configmaps,networkpolicies,virtualservices.networking.istio.io";
  return kubectl(["get", kinds, "-n", namespace, "-o", "name"]);
}

// Data outlives a stack; the next one makes claims of the same names.
afterEach(() => kubectl(["-n", namespace, "delete", "pvc", "--all"]));

describe.each(languages)("a team in %s", (language) => {
  it("is previewed, brought up, logged into, edited, left unchanged and destroyed", async () => {
    const backend = await stateOf(language);
    const before = await objects();
    const planned = await plan(language, backend);
    const made = await up(language, backend);
    expect(made.changes).toEqual(planned);
    expect(made.outputs.phase).toBe("Ready");
    expect(await login(made.outputs, "echo $GREETING")).toBe("hello\n");

    const edited = await up(language, backend, "good day");
    expect(Object.keys(edited.changes).sort()).toEqual(["same", "update"]);
    expect(await login(edited.outputs, "echo $GREETING")).toBe("good day\n");

    const again = await up(language, backend, "good day");
    expect(Object.keys(again.changes)).toEqual(["same"]);
    expect(again.outputs).toEqual(edited.outputs);

    await operation(language, backend, "destroy");
    // The claims stay; they are nobody's objects now.
    expect(await objects()).toBe(before);
  });
});

describe("a stack that TypeScript made", () => {
  it("goes to Python and to Go and back without a change, under an open session", async () => {
    const backend = await stateOf("moved");
    const { stack, remove } = await stackOf("nodejs", async () => team(given("hello")), { backend });
    try {
      const made = await stack.up();
      const outputs = Object.fromEntries(
        Object.entries(made.outputs).map(([name, { value }]) => [name, value as string]),
      );
      expect(await login(outputs, "date +%s%N | tee stamp > /models/stamp; cat stamp")).toMatch(/^\d+\n$/);
      const session = laptop.openCounter("dev1");
      await session.reached(1);
      for (const language of languages) {
        const planned = await plan(language, backend);
        expect([language, Object.keys(planned)]).toEqual([language, ["same"]]);
        const unchanged = await up(language, backend);
        expect([language, Object.keys(unchanged.changes)]).toEqual([language, ["same"]]);
        expect(unchanged.outputs).toEqual(outputs);
      }
      expect(Object.keys((await stack.preview()).changeSummary)).toEqual(["same"]);
      expect([session.alive, session.unbroken]).toEqual([true, true]);
      await session.close();
      expect(await login(outputs, "cmp stamp /models/stamp && echo kept")).toBe("kept\n");
    } finally {
      await stack.destroy();
      await remove();
    }
  });
});
