/** A thousand containers to the authorizer: a grant, a right to read it and a pod with an address for each. */
import { egressGrantName } from "@drawbridge-iac/drawbridge/src/host/egress/contract";
import { tokenHash } from "@drawbridge-iac/drawbridge/src/kit/crypto";
import { apply, getObject } from "../../../scripts/lib/lab/lab.ts";
import type { Removal } from "../cleanup.ts";
import { KubeApi, type KubeObject } from "../support/api.ts";
import { removeNamespaces } from "../support/stack.ts";
import { teamNamespace, teamSize } from "../support/teams.ts";
import { gateway, host, pod, team } from "./objects.ts";

const names = [host, ...Array.from({ length: 49 }, (_, index) => `name-${index}.registry.example.com`)];
const rights = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "grants" };

/** Makes them, with the one address of the pod from which all of their tunnels come; returns their logins. */
export async function makeContainers(count: number, later: (removal: Removal) => void): Promise<string[]> {
  const api = await KubeApi.start(later);
  const { status } = await getObject<{ status: { podIPs: { ip: string }[] } }>(["-n", team, "pod", pod]);
  const address = { status: { podIP: status.podIPs[0]?.ip, podIPs: status.podIPs } };
  const teams = Array.from({ length: count / teamSize }, (_, index) => `${team}-${index}`);
  later(() => removeNamespaces(teams));
  await apply(...teams.map(teamNamespace));
  const all = teams.flatMap((namespace) =>
    Array.from({ length: teamSize }, (_, index) => ({ name: `c${index}`, namespace })),
  );
  await api.createAll(teams.flatMap(readable));
  await api.createAll(all.map(grant));
  const pods = all.map(unscheduled);
  await api.createAll(pods);
  for (const { metadata } of pods) {
    const path = `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}/status`;
    await api.send("PATCH", path, address);
  }
  return all.map(
    ({ name, namespace }) => `Basic ${Buffer.from(`${namespace}.${name}:${name}`).toString("base64")}`,
  );
}

/** The authorizer's right to grants and pods of a namespace. */
const readable = (namespace: string): KubeObject[] => {
  const object = { apiVersion: "rbac.authorization.k8s.io/v1", metadata: { name: rights.name, namespace } };
  const rules = [{ apiGroups: [""], resources: ["configmaps", "pods"], verbs: ["get", "watch"] }];
  const subjects = [{ kind: "ServiceAccount", name: gateway, namespace: gateway }];
  const objects = [
    { ...object, kind: "Role", rules },
    { ...object, kind: "RoleBinding", roleRef: rights, subjects },
  ];
  return objects;
};

const grant = ({ name, namespace }: KubeObject["metadata"]) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: egressGrantName(name), namespace },
  data: { tokenSha256: tokenHash(name), podName: `${name}-0`, hosts: names.map((one) => `${one}\n`).join("") },
});

/** A pod that no scheduler takes, so that its address is what is said of it. */
const unscheduled = ({ name, namespace }: KubeObject["metadata"]) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: `${name}-0`, namespace },
  spec: { schedulerName: "none", containers: [{ name: "none", image: "none" }] },
});
