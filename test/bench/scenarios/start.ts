/** From `pulumi up` to the first prompt, and from a pod's death to the next. */
import type { DevContainerArgs } from "@drawbridge-iac/drawbridge";
import { imageRef } from "../../../packages/lab/src/images/index.ts";
import type { Samples, Scenario } from "../../../scripts/lib/bench-report/scenario.ts";
import { kubectl, Laptop } from "../../../scripts/lib/lab/lab.ts";
import { testContainer, testNamespace } from "../../support/lab/cluster.ts";
import { type Removal, withCleanup } from "../cleanup.ts";
import { containerObjects } from "../start/objects.ts";
import { untilPrompt } from "../start/prompt.ts";
import { benchGateway } from "../support/gateway.ts";
import { Recorder } from "../support/samples.ts";
import { benchStack } from "../support/stack.ts";

const team = "bench-start";
const gateway = "bench-start-gw";
const domain = "start.example.com";
const runs = 5;
const host = "dev";

/** sshd brought into an image that knows nothing of it. */
const injected: Partial<DevContainerArgs> = {
  image: imageRef("busybox"),
  command: ["sh", "-c", "while :; do sleep 3600; done"],
  ssh: { mode: "injected", image: imageRef("sshd-bundle") },
};

/** Fails with the first failure. */
function succeeded(outcomes: readonly PromiseSettledResult<unknown>[]): void {
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

async function run(progress: (line: string) => void): Promise<Samples> {
  return withCleanup(async (later) => {
    const laptop = await Laptop.create("start");
    later(() => laptop.remove());
    const platform = await benchStack(later, async () => {
      testNamespace(team);
      return { address: benchGateway(gateway, domain).address };
    }, [team]);
    const address = String((await platform.stack.up()).outputs.address?.value);
    const reference = { name: gateway, namespace: gateway, domain, plainPort: 80, address };
    const door = { address, port: 80, authority: `${host}.${team}.${domain}:22` };

    /** A stack with the container in it; a stack is made once in its life, so that is not timed. */
    const stackOf = async (
      args: Partial<Omit<DevContainerArgs, "namespace">>,
      own: (removal: Removal) => void,
    ) => {
      const { stack } = await benchStack(own, async () => {
        const keys = { authorizedKeys: [laptop.publicKey] };
        const made = testContainer(host, {
          namespace: team,
          access: { gateway: reference },
          ...keys,
          ...args,
        });
        return { sshConfig: made.sshConfig, knownHosts: made.knownHosts };
      });
      return stack;
    };
    const removeHome = () => kubectl(["-n", team, "delete", "pvc", "--all"]);

    // Not counted: it warms everything up, tells the laptop the host's name and key, and shows the objects.
    const objects = await withCleanup(async (own) => {
      own(removeHome);
      const { outputs } = await (await stackOf({}, own)).up();
      await laptop.configure(String(outputs.sshConfig?.value), String(outputs.knownHosts?.value));
      await untilPrompt(laptop, host, door, performance.now());
      return containerObjects(team, host);
    });

    /** Rival -> what prepares it and returns what is timed. */
    const ways: Readonly<
      Record<string, (own: (removal: Removal) => void) => Promise<() => Promise<unknown>>>
    > = {
      drawbridge: async (own) => {
        const stack = await stackOf({}, own);
        return () => stack.up();
      },
      injected: async (own) => {
        const stack = await stackOf(injected, own);
        return () => stack.up();
      },
      kubectl: async (own) => {
        own(() => kubectl(["delete", "-f", "-", "--ignore-not-found"], objects));
        return () => kubectl(["create", "-f", "-"], objects);
      },
    };
    const recorder = new Recorder();
    for (let round = 1; round <= runs; round++) {
      for (const [rival, prepare] of Object.entries(ways)) {
        await withCleanup(async (own) => {
          own(removeHome);
          const bringUp = await prepare(own);
          const began = performance.now();
          const prompt = untilPrompt(laptop, host, door, began);
          // Both to their ends, also when one fails: nothing is removed under a running update.
          await Promise.allSettled([prompt, bringUp()]).then(succeeded);
          recorder.add(rival, "up_to_prompt", await prompt);
          const deleted = performance.now();
          await kubectl(["-n", team, "delete", "pod", `${host}-0`, "--wait=true"]);
          recorder.add(rival, "delete_to_prompt", await untilPrompt(laptop, host, door, deleted));
        });
      }
      progress(`round ${round} of ${runs}`);
    }
    return recorder.samples;
  });
}

export const start: Scenario = {
  name: "start",
  title:
    "seconds from `pulumi up` to the first prompt (images present), and from the pod's deletion to the next; beside the same objects by kubectl",
  run,
};
