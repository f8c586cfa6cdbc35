/** What happens to the gateway's proxies. */

import { selectorLabels } from "@drawbridge-iac/drawbridge/src/kubernetes/labels";
import { apply, eventually, gatewayStats, kubectl } from "../../../scripts/lib/lab/lab.ts";
import { drainSeconds } from "../../support/lab/cluster.ts";
import { evict } from "../../support/lab/nodes.ts";
import { podsOf, proxyPods, tunnelsIn } from "../../support/stacks/gateways.ts";
import { byItself, type Fault, type MayEnd, nothing } from "../fault.ts";
import { drillLabels } from "../repair.ts";
import { picked } from "../schedule.ts";
import { gateway, proxies } from "../teams.ts";
import { deploymentReady, scaleGateway } from "../whole.ts";

/** The proxies that nobody has told to stop, with their tunnels. */
async function living(): Promise<{ name: string; tunnels: number }[]> {
  const pods = (await proxyPods(gateway)).filter(({ stoppedAt }) => stoppedAt === undefined);
  return Promise.all(pods.map(async ({ name }) => ({ name, tunnels: await tunnelsIn(gateway, name) })));
}

const mayEnd = (...pods: readonly { tunnels: number }[]): MayEnd => ({
  ...nothing,
  tunnels: pods.reduce((sum, { tunnels }) => sum + tunnels, 0),
});

/** The same of proxies that are asked to go. */
const mayEndLater = (...pods: readonly { tunnels: number }[]): MayEnd => ({
  ...mayEnd(...pods),
  grace: drainSeconds,
});

/** A filter whose program does not parse: istiod passes it on, and Envoy refuses the listener that has it. */
const refused = {
  apiVersion: "networking.istio.io/v1alpha3",
  kind: "EnvoyFilter",
  metadata: { name: "drill-refused", namespace: gateway, labels: drillLabels },
  spec: {
    workloadSelector: { labels: selectorLabels("ssh-gateway", gateway) },
    configPatches: [
      {
        applyTo: "HTTP_FILTER",
        match: {
          context: "GATEWAY",
          listener: { filterChain: { filter: { name: "envoy.filters.network.http_connection_manager" } } },
        },
        patch: {
          operation: "INSERT_FIRST",
          value: {
            name: "envoy.filters.http.lua",
            typed_config: {
              "@type": "type.googleapis.com/envoy.extensions.filters.http.lua.v3.Lua",
              default_source_code: { inline_string: "this is no Lua (" },
            },
          },
        },
      },
    ],
  },
};

async function refusals(): Promise<number> {
  const counter = "listener_manager_lds_update_rejected";
  return (await gatewayStats(gateway, podsOf(gateway), [counter]))[counter] ?? 0;
}

export const gateways: readonly Fault[] = [
  {
    name: "gateway-pod-killed",
    lasts: [0, 0],
    async inject(pick) {
      const pod = picked(await living(), pick);
      await kubectl(["-n", gateway, "delete", "pod", pod.name, "--force", "--grace-period=0"]);
      return { target: pod.name, mayEnd: mayEnd(pod), heal: byItself };
    },
  },
  {
    name: "gateway-evicted",
    lasts: [0, 0],
    async inject(pick) {
      const pod = picked(await living(), pick);
      const { code, stderr } = await evict(gateway, pod.name);
      if (code !== 0) throw new Error(stderr.trim());
      return { target: pod.name, mayEnd: mayEndLater(pod), heal: byItself };
    },
  },
  {
    name: "gateway-rolled",
    lasts: [0, 0],
    async inject() {
      const pods = await living();
      await kubectl(["-n", gateway, "rollout", "restart", `deployment/${gateway}`]);
      return { target: gateway, mayEnd: mayEndLater(...pods), heal: byItself };
    },
  },
  {
    name: "gateway-scaled-down",
    lasts: [3, 15],
    async inject() {
      const pods = await living();
      await scaleGateway(proxies - 1);
      return { target: gateway, mayEnd: mayEndLater(...pods), heal: () => scaleGateway(proxies) };
    },
  },
  {
    name: "gateway-scaled-up",
    lasts: [3, 15],
    async inject() {
      const pods = await living();
      await scaleGateway(proxies + 1);
      const heal = async () => {
        await deploymentReady(gateway, gateway);
        await scaleGateway(proxies);
      };
      return { target: gateway, mayEnd: mayEndLater(...pods), heal };
    },
  },
  {
    name: "configuration-refused",
    lasts: [3, 20],
    async inject() {
      const before = await refusals();
      await apply(refused);
      const remove = async () => {
        await kubectl(["-n", gateway, "delete", "envoyfilter", refused.metadata.name]);
      };
      await eventually("Envoy's refusal", async () => (await refusals()) >= before + proxies);
      return { target: gateway, mayEnd: nothing, heal: remove };
    },
  },
];
