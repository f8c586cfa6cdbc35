/**
 * Subresources of the kinds that policies judge. Most that can be written hold the whole object, labels and annotations too: a
 * policy that judges the main resource alone is open beside it.
 */
import {
  type AdmissionPolicy,
  gatewayPolicies,
  type KnownSshGatewayPlan,
  planSshGateway,
  rootPolicies,
  sshGatewaySchema,
} from "../../../packages/manifests/src/index.ts";
import type { ApiServer } from "../engine/api-server.ts";
import type { Place } from "./attack.ts";
import { policiesOf } from "./stage.ts";

const use = "gives the use of what is there and changes nothing that is stored";
/** Istio's kinds: the API server keeps everything but the status as it was, which is tried. */
export const statusAlone = "holds its status alone";

/** Those that no policy judges, and why none has to. */
export const harmless: Readonly<Record<string, string>> = {
  "/pods/attach": use,
  "/pods/exec": use,
  "/pods/log": use,
  "/pods/portforward": use,
  "/pods/proxy": use,
  "/services/proxy": use,
  "/pods/binding": "chooses the node, which nodeName does too, and adds annotations, which no policy reads",
  "/pods/eviction": "deletes a pod",
  "/pods/resize": "changes processors and memory of containers, and no other field",
  "apps/statefulsets/status": "no policy reads a StatefulSet but by its scale",
  ...Object.fromEntries(
    [
      "destinationrules",
      "gateways",
      "serviceentries",
      "virtualservices",
      "workloadentries",
      "workloadgroups",
    ].map((kind) => [`networking.istio.io/${kind}/status`, statusAlone]),
  ),
};

/** Every policy that there is, with root and with idle too. */
function everyPolicy(place: Place): AdmissionPolicy[] {
  const idle = { image: "idle:1" };
  const egress = { apiServer: [{ cidr: "192.0.2.10/32" }] };
  const sleeping = { ...place.gateway, idle, egress, loadBalancer: { preset: "generic" } };
  const root = { namespace: place.team, allowedServiceAccountNames: [], containersInside: false };
  return [
    ...policiesOf(place).map(({ policy }) => policy),
    ...gatewayPolicies(planSshGateway("gate", sshGatewaySchema.parse(sleeping)) as KnownSshGatewayPlan),
    ...rootPolicies({ ...root, namespace: place.team }),
  ];
}

const judgedNames = (place: Place) =>
  everyPolicy(place).flatMap(({ requests }) =>
    requests.flatMap(({ apiGroup, resources }) => resources.map((resource) => `${apiGroup}/${resource}`)),
  );
const isPart = (name: string) => name.split("/").length === 3;

/** `<group>/<kind>/<subresource>` of those that policies judge. */
export const judgedSubresources = (place: Place): string[] =>
  [...new Set(judgedNames(place).filter(isPart))].sort();

interface Resources {
  readonly resources: readonly { readonly name: string }[];
}
interface Groups {
  readonly groups: readonly {
    readonly name: string;
    readonly versions: readonly { readonly groupVersion: string }[];
  }[];
}

/** All that the API server has beside the kinds that policies judge. */
export async function servedSubresources(api: ApiServer, place: Place): Promise<string[]> {
  const get = async <T>(path: string) => JSON.parse(await api.kubectl(["get", "--raw", path])) as T;
  const { groups } = await get<Groups>("/apis");
  const paths = groups.flatMap(({ name, versions }) =>
    versions.map(({ groupVersion }) => ({ group: name, path: `/apis/${groupVersion}` })),
  );
  const kinds = new Set(judgedNames(place).map((name) => name.split("/").slice(0, 2).join("/")));
  const found = new Set<string>();
  for (const { group, path } of [{ group: "", path: "/api/v1" }, ...paths]) {
    for (const { name } of (await get<Resources>(path)).resources) {
      const [kind, part] = name.split("/");
      if (part !== undefined && kinds.has(`${group}/${kind}`)) found.add(`${group}/${name}`);
    }
  }
  return [...found].sort();
}
