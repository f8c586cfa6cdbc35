/** An egress gateway beside the same Envoy without decisions, and a container that reaches the internet by both. */
import type { EgressGateway } from "@drawbridge-iac/drawbridge";
import { egressPorts } from "@drawbridge-iac/drawbridge/src/host/egress/contract";
import { imageRef } from "../../../packages/lab/src/images/index.ts";
import { apply, getObject, kubectl, podNames, run } from "../../../scripts/lib/lab/lab.ts";
import { podNetwork, testContainer, testNamespace } from "../../support/lab/cluster.ts";
import { Internet, machines, resolver } from "../../support/lab/internet.ts";
import { testEgressGateway } from "../../support/stacks/egress-stack.ts";
import type { Removal } from "../cleanup.ts";
import { benchStack, removeNamespaces } from "../support/stack.ts";

export const team = "bench-egress";
export const gateway = "bench-egress-gw";
const plain = "bench-egress-plain";
/** The one host that is reached. */
export const host = "ok.test";
/** What `bulk` downloads. */
export const bulkBytes = 256 * 1024 * 1024;

/** A way out, by the address of its one pod. */
export interface Way {
  readonly rival: "drawbridge" | "Envoy without decisions";
  readonly namespace: string;
  readonly address: string;
  /** Value of `Proxy-Authorization`. */
  readonly login: string;
}

export const pod = "dev-0";

export async function openWays(later: (removal: Removal) => void): Promise<readonly Way[]> {
  const internet = await Internet.start({ [host]: [machines[0]] });
  later(() => internet.remove());
  await run("truncate", ["-s", String(bulkBytes), `${internet.files}/bulk`]);
  const { stack } = await benchStack(later, async () => {
    // As the defaults have it.
    const resources = { requests: { cpu: "100m" } };
    const authorizer = { image: imageRef("programs"), resources };
    const egress: EgressGateway = testEgressGateway(gateway, { resources, authorizer });
    testContainer(
      "dev",
      {
        namespace: team,
        authorizedKeys: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEz4YDwjCbeFmvDQmKEHWGAcQpXKCEKTNnVO9Oy5gfJd"],
        // Nobody logs in.
        access: { sshpod: { groups: ["bench"] } },
        resources: { requests: { cpu: "100m" }, memory: "512Mi" },
        egress: { gateway: egress, hosts: [host], allow: [{ cidr: podNetwork }] },
      },
      [testNamespace(team, [podNetwork])],
    );
    return {};
  }, [team, gateway]);
  await stack.up();
  await startPlain(later);
  const proxy = (await kubectl(["-n", team, "exec", pod, "--", "printenv", "HTTPS_PROXY"])).trim();
  const { username, password } = new URL(proxy);
  const login = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  return [
    { rival: "drawbridge", namespace: gateway, address: await addressOf(gateway), login },
    { rival: "Envoy without decisions", namespace: plain, address: await addressOf(plain), login },
  ];
}

async function addressOf(namespace: string): Promise<string> {
  const [name = ""] = await podNames(namespace, "app.kubernetes.io/component=egress-gateway");
  const { status } = await getObject<{ status: { podIP: string } }>(["-n", namespace, "pod", name]);
  return `${status.podIP}:${egressPorts.proxy}`;
}

interface Template {
  readonly spec: { readonly template: { readonly metadata: object; readonly spec: Record<string, unknown> } };
}

/** The gateway's own pod and configuration, but that Envoy resolves and dials what it is asked for. */
async function startPlain(later: (removal: Removal) => void): Promise<void> {
  later(() => removeNamespaces([plain]));
  const { spec } = await getObject<Template>(["-n", gateway, "deployment", gateway]);
  const { data } = await getObject<{ data: Record<string, string> }>(["-n", gateway, "configmap", gateway]);
  const policies = await getObject<{ items: { metadata: { name: string }; spec: object }[] }>([
    "-n",
    gateway,
    "networkpolicies",
  ]);
  const { initContainers: _, affinity: __, ...own } = spec.template.spec;
  await apply(
    { apiVersion: "v1", kind: "Namespace", metadata: { name: plain } },
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: gateway, namespace: plain } },
    // What enforces them looks at each new connection.
    ...policies.items.map(({ metadata: { name }, spec }) => ({
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: { name, namespace: plain },
      spec,
    })),
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: gateway, namespace: plain },
      data: { "envoy.json": withoutDecisions(data["envoy.json"] ?? "") },
    },
    {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { ...spec.template.metadata, name: "plain", namespace: plain },
      spec: own,
    },
  );
  await kubectl(["-n", plain, "wait", "--for=condition=Ready", "pod/plain", "--timeout=90s"]);
}

const extension = (name: string, type: string, config: object) => ({
  name,
  typed_config: { "@type": `type.googleapis.com/envoy.extensions.${type}`, ...config },
});

interface Route {
  readonly match: { dynamic_metadata?: object };
  readonly route?: object;
}

function withoutDecisions(text: string): string {
  const dns = extension(
    "envoy.network.dns_resolver.cares",
    "network.dns_resolver.cares.v3.CaresDnsResolverConfig",
    { resolvers: [{ socket_address: { address: resolver, port_value: 53 } }] },
  );
  const cache = { name: "all", dns_lookup_family: "V4_ONLY", typed_dns_resolver_config: dns };
  const config = JSON.parse(text);
  const [listener] = config.static_resources.listeners;
  const { typed_config: manager } = listener.filter_chains[0].filters[0];
  const forward = extension(
    "envoy.filters.http.dynamic_forward_proxy",
    "filters.http.dynamic_forward_proxy.v3.FilterConfig",
    { dns_cache_config: cache },
  );
  manager.http_filters = [forward, manager.http_filters.at(-1)];
  const [host] = manager.route_config.virtual_hosts;
  host.routes = host.routes.filter(({ route }: Route) => route !== undefined);
  for (const { match } of host.routes as Route[]) delete match.dynamic_metadata;
  const { type: _, cleanup_interval: __, ...destinations } = config.static_resources.clusters.at(-1);
  const cluster_type = extension(
    "envoy.clusters.dynamic_forward_proxy",
    "clusters.dynamic_forward_proxy.v3.ClusterConfig",
    { dns_cache_config: cache },
  );
  config.static_resources.clusters = [{ ...destinations, cluster_type }];
  return JSON.stringify(config);
}
