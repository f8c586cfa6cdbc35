/** What a container weighs by where its sshd comes from. */
import { imageRef } from "../../../packages/lab/src/images/index.ts";
import { stateResources } from "../../../scripts/lib/engine/engine.ts";
import { Laptop } from "../../../scripts/lib/lab/lab.ts";
import { byGateway, testContainer, testNamespace } from "../../support/lab/cluster.ts";
import { closeAll, openCounters } from "../../support/stacks/gateways.ts";
import { withCleanup } from "../cleanup.ts";
import { benchGateway } from "../support/gateway.ts";
import { usageOf } from "../support/kubelet.ts";
import { type Recorder, wait } from "../support/samples.ts";
import { benchStack, joinedOutput } from "../support/stack.ts";

const team = "bench-weight-ways";
const sleeping = { image: imageRef("busybox"), command: ["sh", "-c", "while :; do sleep 3600; done"] };

/** Rival -> its container's arguments. */
const ways = {
  drawbridge: {},
  injected: { ...sleeping, ssh: { mode: "injected", image: imageRef("sshd-bundle") } },
  sidecar: { ...sleeping, ssh: { mode: "sidecar", image: imageRef("devcontainer") } },
  "no sshd": { ...sleeping, ssh: { mode: "none" } },
} as const;
const runs = 3;
const nameOf = (rival: string) => `way-${rival.replaceAll(" ", "-")}`;

export async function weighContainers(recorder: Recorder, progress: (line: string) => void): Promise<void> {
  await withCleanup(async (later) => {
    const laptop = await Laptop.create("weight");
    later(() => laptop.remove());
    const { stack } = await benchStack(later, async () => {
      const gateway = benchGateway("bench-weight-ways-gw", "ways.example.com");
      const namespace = testNamespace(team);
      const made = Object.entries(ways).map(([rival, args]) => {
        const reached =
          rival === "no sshd"
            ? { authorizedKeys: [] }
            : { access: byGateway(gateway), authorizedKeys: [laptop.publicKey] };
        return testContainer(nameOf(rival), { namespace: team, ...reached, ...args }, [namespace]);
      });
      return {
        sshConfig: made.map(({ sshConfig }) => sshConfig),
        knownHosts: made.map(({ knownHosts }) => knownHosts),
      };
    }, [team]);
    const { outputs } = await stack.up();
    await laptop.configure(joinedOutput(outputs, "sshConfig"), joinedOutput(outputs, "knownHosts"));
    const resources = await stateResources(stack);
    for (const rival of Object.keys(ways)) {
      const own = resources.filter((resource) => resource.includes(` ${nameOf(rival)}-`));
      recorder.add(rival, "objects", own.length);
      if (rival === "no sshd") continue;
      await laptop.login(nameOf(rival));
    }
    const rivals = Object.keys(ways);
    const names = rivals.map(nameOf);
    for (let index = 0; index < runs; index++) {
      const idle = await usageOf(team, names);
      const sessions = await Promise.all(
        rivals.filter((rival) => rival !== "no sshd").map((rival) => openCounters(laptop, nameOf(rival), 1)),
      );
      await wait(1);
      const busy = await usageOf(team, names);
      await closeAll(sessions.flat());
      for (const rival of rivals) {
        const [before, after] = [idle, busy].map((usage) => usage[nameOf(rival)]?.resident ?? 0) as [
          number,
          number,
        ];
        recorder.add(rival, "idle_memory", before);
        if (rival !== "no sshd") recorder.add(rival, "session_memory", after - before);
      }
    }
    progress(`containers by where sshd comes from, ${runs} runs`);
  });
}
