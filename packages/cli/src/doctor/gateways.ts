/**
 * Whether istiod sends the gateways only what their routes name (docs/platform.md). The gateways' Envoys are asked what they
 * have got, because not every account may see istiod's own settings.
 */
import http from "node:http";
import { text } from "node:stream/consumers";
import { isForbidden, type Kube } from "../sshpod/kube.ts";
import { isReady, type Pod } from "../sshpod/pod.ts";
import { forwardPort } from "../sshpod/port-forward.ts";
import type { Requirement } from "./finding.ts";

interface GatewayPod extends Pod {
  readonly metadata: Pod["metadata"] & {
    readonly namespace: string;
    readonly labels: Readonly<Record<string, string>>;
  };
}

/** Reads from the administration of a pod's Envoy. */
export type AskEnvoy = (kube: Kube, pod: GatewayPod, path: string) => Promise<string>;

const selector = "app.kubernetes.io/component=ssh-gateway";
const envoyAdminPort = 15_000;
const setting = "PILOT_FILTER_GATEWAY_CLUSTER_CONFIG";
const unknown = (why: string) => `unknown: ${why}; ask the platform team to run drawbridge doctor --gateways`;

export async function gatewayRequirements(kube: Kube, ask: AskEnvoy = askEnvoy): Promise<Requirement[]> {
  const path = `/api/v1/pods?labelSelector=${encodeURIComponent(selector)}`;
  const list = await kube.get<{ items: GatewayPod[] }>(path).catch((error: unknown) => {
    if (!isForbidden(error)) throw error;
  });
  if (list === undefined) {
    return [{ step: "gateways", ok: false, text: unknown("this account may not list pods") }];
  }
  const gateways = Map.groupBy(
    list.items,
    ({ metadata }) => `${metadata.namespace}/${metadata.labels["app.kubernetes.io/instance"]}`,
  );
  if (gateways.size === 0) {
    return [
      { step: "gateways", ok: false, text: "unknown: no gateway of drawbridge's runs in this cluster" },
    ];
  }
  return Promise.all(
    [...gateways].map(async ([name, own]) => ({
      step: `gateway ${name}`,
      ...(await requirementOf(kube, own, ask)),
    })),
  );
}

async function requirementOf(
  kube: Kube,
  pods: readonly GatewayPod[],
  ask: AskEnvoy,
): Promise<Omit<Requirement, "step">> {
  const ready = pods.find(isReady);
  if (ready === undefined) return { ok: false, text: "unknown: none of its pods is ready" };
  try {
    const [clusters, routes, listeners] = await Promise.all([
      ask(kube, ready, "/config_dump?resource=dynamic_active_clusters&mask=cluster.name"),
      ask(kube, ready, "/config_dump?resource=dynamic_route_configs"),
      ask(kube, ready, "/config_dump?resource=dynamic_listeners"),
    ]);
    return whatItGets(clusters, routes + listeners);
  } catch (error) {
    const why = "this account may not forward ports of its pods";
    return { ok: false, text: unknown(isForbidden(error) ? why : (error as Error).message) };
  }
}

/** Services by their hosts, in whatever text: istiod's clusters are `outbound|<port>|<subset>|<host>`. */
const servicesIn = (config: string) =>
  new Set([...config.matchAll(/"outbound\|\d+\|[^|"]*\|([^"]+)"/g)].map(([, host = ""]) => host));

function whatItGets(clusters: string, routes: string): Omit<Requirement, "step"> {
  const named = servicesIn(routes);
  const got = servicesIn(clusters);
  const [first, ...others] = [...got].filter((host) => !named.has(host)).sort();
  if (first === undefined) {
    return { ok: true, text: `gets the Services that its routes name (${got.size}), and no others` };
  }
  const count = others.length + 1;
  return {
    ok: false,
    text: `gets Services that none of its routes names (${count}, such as ${first}), so every Service of the cluster fills its memory; set ${setting}=true in istiod's environment, unless these are the mesh's own for tracing or authorization`,
  };
}

/** Over the API's portforward endpoint: Envoy's administration listens on the pod's loopback alone. */
async function askEnvoy(kube: Kube, { metadata }: GatewayPod, path: string): Promise<string> {
  const place = { namespace: metadata.namespace, pod: metadata.name };
  const stream = await forwardPort(kube, place, envoyAdminPort);
  return new Promise((resolve, reject) => {
    const headers = { host: "localhost", connection: "close" };
    const asked = http.get({ path, headers, createConnection: () => stream }, (response) => {
      text(response).then((body) => {
        if (response.statusCode === 200) resolve(body);
        else reject(new Error(`its Envoy answers ${response.statusCode}`));
      }, reject);
    });
    asked.on("error", reject);
  });
}
