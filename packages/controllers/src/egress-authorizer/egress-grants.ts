/** Grants of containers and addresses of their pods, as the API server has them. */
import { setTimeout as sleep } from "node:timers/promises";
import {
  type EgressGrant,
  egressGrantName,
  longestHosts,
} from "@drawbridge-iac/drawbridge/src/host/egress/contract";
import type { Identity, Kubernetes } from "../api-server.ts";
import { configMapPath, kubernetesGrants } from "../authorizer/kubernetes-grants.ts";
import { hash } from "../authorizer/proof.ts";
import { list, maybe, record, text } from "../read.ts";
import type { Problems } from "../telemetry.ts";
import type { Watch } from "./leases.ts";
import type { SharedWatch } from "./shared-watch.ts";

type Told = Pick<Problems, "tell" | "solved">;

export const egressGrants = (api: Pick<Kubernetes, "get">, problems: Told) =>
  kubernetesGrants(
    api,
    problems,
    (identity) => configMapPath(identity, egressGrantName(identity.name)),
    parseEgressGrant,
  );

/** The addresses of a pod. */
export const podAddresses = (api: Pick<Kubernetes, "get">, problems: Told) =>
  kubernetesGrants(
    api,
    problems,
    ({ namespace, name }) => `/api/v1/namespaces/${namespace}/pods/${name}`,
    (pod) => podWithAddresses(pod, "its pod").status?.podIPs?.map(({ ip }) => ip),
  );

const podWithAddresses = record({
  status: maybe(record({ podIPs: maybe(list(record({ ip: text("an address") }), 2)) })),
});

const podName = text("a pod's name", (value) => /^[a-z0-9](?:[-.a-z0-9]{0,251}[a-z0-9])?$/.test(value));

const grantConfigMap = record({
  data: maybe(
    record({
      tokenSha256: maybe(hash),
      hosts: maybe(text("a list", undefined, longestHosts)),
      podName: maybe(podName),
    }),
  ),
});

/** Reads a grant's ConfigMap, which is another's text. A line that is no host allows none. */
export function parseEgressGrant(configMap: unknown): EgressGrant | undefined {
  const { tokenSha256, hosts = "", podName } = grantConfigMap(configMap, "its grant").data ?? {};
  if (tokenSha256 === undefined || podName === undefined) return undefined;
  return { tokenSha256, podName, hosts: hosts.split("\n").filter((line) => line !== "") };
}

const pauseMs = 1_000;

const watchSeconds = 240;

/** Watches one grant by its name. A watch that ends is begun anew, and what was missed in between is looked at. */
export const watchGrant = (api: Pick<Kubernetes, "watch">, shared: SharedWatch): Watch => {
  const alone = async (path: string, ring: () => void, signal: AbortSignal) => {
    ring();
    for await (const _ of api.watch(path, signal)) ring();
  };
  const follow = async (identity: Identity, ring: () => void, signal: AbortSignal) => {
    const all = configMapPath(identity, "").replace(/\/$/, "");
    const path = `${all}?watch=1&fieldSelector=${encodeURIComponent(`metadata.name=${egressGrantName(identity.name)}`)}`;
    while (!signal.aborted) {
      await shared(`${path}&timeoutSeconds=${watchSeconds}`, ring, signal)
        // An API server without HTTP/2; what fails as well is told by the lookups.
        .catch(() => (signal.aborted ? undefined : alone(path, ring, signal)))
        .catch(() => undefined);
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  };
  return (identity, ring, signal) => void follow(identity, ring, signal);
};
