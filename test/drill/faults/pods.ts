/** Pods that end: a container's, a proxy's, all proxies' one after the other. */
import { proxyPods, tunnelsIn } from "../../support/gateways.ts";
import { kubectl } from "../../support/lab.ts";
import type { Fault } from "../fault.ts";
import { gateway, teams } from "../platform.ts";
import { picked } from "../schedule.ts";
import { containersReady, proxiesReady } from "../whole.ts";

/** The proxies that nobody has told to stop. */
async function living(): Promise<string[]> {
  const pods = await proxyPods(gateway);
  return pods.filter(({ stoppedAt }) => stoppedAt === undefined).map(({ name }) => name);
}

export const pods: readonly Fault[] = [
  {
    name: "container-pod-deleted",
    lasts: [0, 0],
    async inject(pick) {
      const team = picked(teams, pick);
      await kubectl(["-n", team, "delete", "pod", `${team}-0`]);
      return { target: team, mayEnd: { containers: [team], tunnels: 0 }, heal: containersReady };
    },
  },
  {
    name: "gateway-pod-killed",
    lasts: [0, 0],
    async inject(pick) {
      const pod = picked(await living(), pick);
      const tunnels = await tunnelsIn(gateway, pod);
      await kubectl(["-n", gateway, "delete", "pod", pod, "--force", "--grace-period=0"]);
      return { target: pod, mayEnd: { containers: [], tunnels }, heal: proxiesReady };
    },
  },
  {
    name: "gateway-rolled",
    lasts: [0, 0],
    async inject() {
      const counts = await Promise.all((await living()).map((pod) => tunnelsIn(gateway, pod)));
      await kubectl(["-n", gateway, "rollout", "restart", `deployment/${gateway}`]);
      const tunnels = counts.reduce((sum, count) => sum + count, 0);
      return { target: gateway, mayEnd: { containers: [], tunnels }, heal: proxiesReady };
    },
  },
];
