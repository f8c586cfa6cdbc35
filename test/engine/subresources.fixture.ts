/**
 * Subresources of the kinds that policies judge. Most that can be written hold the whole object, labels and annotations too: a
 * policy that judges the main resource alone is open beside it.
 */
import type { AdmissionPolicy } from "../../packages/drawbridge/src/kubernetes/admission.ts";
import { gatewayPolicies } from "../../packages/drawbridge/src/ssh-gateway/admission-policy.ts";
import { sshGatewaySchema } from "../../packages/drawbridge/src/ssh-gateway/args-checks.ts";
import { type KnownSshGatewayPlan, planSshGateway } from "../../packages/drawbridge/src/ssh-gateway/plan.ts";
import { rootPolicies } from "../../packages/drawbridge/src/team/root-policies.ts";
import type { ApiServer } from "../../scripts/lib/engine/api-server.ts";
import type { Place } from "../support/attacks/attack.ts";
import { policiesOf } from "../support/attacks/stage.ts";

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
  "/pods/eviction": "deletes a pod",
  "/pods/resize": "changes processors and memory of containers, and no other field",
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

/** `<group>/<kind>/<subresource>` of those that policies judge; `*` stands for each kind. */
const judgedParts = (place: Place) => judgedNames(place).filter((name) => name.split("/").length === 3);

export const judgedKinds = (place: Place): string[] =>
  judgedNames(place).map((name) => name.split("/").slice(0, 2).join("/"));

const ofGroup = (group: string, ...kinds: string[]) => kinds.map((kind) => `${group}/${kind}`);

/** Kinds that no policy judges, by why none has to. */
export const withinItsNamespace: Readonly<Record<string, readonly string[]>> = {
  "counts for proxies of its own namespace alone": [
    ...ofGroup("networking.istio.io", "envoyfilters", "proxyconfigs", "sidecars"),
    ...ofGroup("security.istio.io", "authorizationpolicies", "peerauthentications", "requestauthentications"),
    ...ofGroup("extensions.istio.io", "trafficextensions", "wasmplugins"),
    ...ofGroup("telemetry.istio.io", "telemetries"),
  ],
  "is or makes pods, volumes and accounts of its own namespace": [
    ...ofGroup("", "configmaps", "persistentvolumeclaims", "podtemplates", "replicationcontrollers"),
    ...ofGroup("", "secrets", "serviceaccounts"),
    ...ofGroup("apps", "controllerrevisions", "daemonsets", "deployments", "replicasets"),
    ...ofGroup("autoscaling", "horizontalpodautoscalers"),
    ...ofGroup("batch", "cronjobs", "jobs"),
    ...ofGroup("policy", "poddisruptionbudgets"),
    ...ofGroup("resource.k8s.io", "resourceclaims", "resourceclaimtemplates"),
  ],
  "asks or tells": [
    ...ofGroup("", "events"),
    ...ofGroup("authorization.k8s.io", "localsubjectaccessreviews"),
    ...ofGroup("coordination.k8s.io", "leases"),
    ...ofGroup("events.k8s.io", "events"),
    ...ofGroup("storage.k8s.io", "csistoragecapacities"),
  ],
  "is for an ingress controller, which no gateway of ours is": ofGroup("networking.k8s.io", "ingresses"),
};

interface Resources {
  readonly resources: readonly { readonly name: string; readonly namespaced: boolean }[];
}
interface Groups {
  readonly groups: readonly {
    readonly name: string;
    readonly versions: readonly { readonly groupVersion: string }[];
  }[];
}

/** Everything that the API server serves, once for each version. */
async function served(api: ApiServer) {
  const get = async <T>(path: string) => JSON.parse(await api.kubectl(["get", "--raw", path])) as T;
  const { groups } = await get<Groups>("/apis");
  const versions = groups.flatMap(({ name, versions }) =>
    versions.map(({ groupVersion }) => ({ group: name, path: `/apis/${groupVersion}` })),
  );
  const all = [{ group: "", path: "/api/v1" }, ...versions].map(async ({ group, path }) =>
    (await get<Resources>(path)).resources.map((one) => ({
      ...one,
      group,
      version: path.split("/").at(-1) ?? "",
    })),
  );
  return (await Promise.all(all)).flat();
}

const namesOf = (all: readonly { readonly group: string; readonly name: string }[]) =>
  [...new Set(all.map(({ group, name }) => `${group}/${name}`))].sort();

/** `<group>/<kind>/<subresource>` of all that it has beside the kinds that policies judge, and whether one judges that. */
export async function servedSubresources(api: ApiServer, place: Place): Promise<Map<string, boolean>> {
  const kinds = new Set(judgedKinds(place));
  const parts = new Set(judgedParts(place));
  const all = (await served(api)).flatMap(({ group, name }) => {
    const [kind, part] = name.split("/");
    const isOfJudged = part !== undefined && [kind, "*"].some((one) => kinds.has(`${group}/${one}`));
    return isOfJudged ? [{ group, name, judged: [name, `*/${part}`] }] : [];
  });
  return new Map(
    all.map(({ group, name, judged }) => [
      `${group}/${name}`,
      judged.some((one) => parts.has(`${group}/${one}`)),
    ]),
  );
}

/** All kinds of objects that stand in a namespace. */
export async function servedKinds(api: ApiServer): Promise<string[]> {
  return namesOf((await served(api)).filter(({ name, namespaced }) => namespaced && !name.includes("/")));
}

export async function versionsOf(api: ApiServer, group: string, kind: string): Promise<string[]> {
  return (await served(api))
    .filter((one) => one.group === group && one.name === kind)
    .map(({ version }) => version);
}
