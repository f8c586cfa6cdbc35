/** Every object of Pulumi's state is in the cluster, and none of its kinds is there that the state does not have. */
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { getObject } from "../../../scripts/lib/lab/lab.ts";
import type { Invariant } from "../invariant.ts";
import type { Platform } from "../platform.ts";
import { frpServer, gateway, storageProxy, teams } from "../teams.ts";

const namespaces = [gateway, frpServer, storageProxy, ...teams];
/** The kinds that only drawbridge makes there, as kubectl names them. */
const kinds = [
  "configmaps",
  "deployments.apps",
  "networkpolicies.networking.k8s.io",
  "persistentvolumeclaims",
  "poddisruptionbudgets.policy",
  "secrets",
  "services",
  "statefulsets.apps",
  "virtualservices.networking.istio.io",
];
/** What Kubernetes, Istio and the pods themselves put into every namespace. */
const foreign =
  /^(ConfigMap [\w-]+\/(kube-root-ca\.crt|istio-ca-root-cert|istio-ca-crl|istio-.*)|Secret [\w-]+\/(istio-.*|sh\.helm.*))$/;

interface Named {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly ownerReferences?: object[];
  };
}

const nameOf = ({ kind, metadata: { namespace, name } }: Named) => `${kind} ${namespace}/${name}`;

async function inState(stack: Stack): Promise<{ names: Set<string>; pending: number }> {
  const { deployment } = await stack.exportStack();
  type State = { resources?: { custom?: boolean; outputs?: Named }[]; pending_operations?: object[] };
  const { resources = [], pending_operations = [] } = deployment as State;
  const objects = resources.flatMap(({ outputs }) => (outputs?.metadata === undefined ? [] : [outputs]));
  return { names: new Set(objects.map(nameOf)), pending: pending_operations.length };
}

async function inCluster(): Promise<string[]> {
  const lists = await Promise.all(
    namespaces.map((namespace) => getObject<{ items: Named[] }>(["-n", namespace, kinds.join(",")])),
  );
  return lists
    .flatMap(({ items }) => items)
    .filter(({ metadata }) => metadata.ownerReferences === undefined)
    .map(nameOf)
    .filter((name) => !foreign.test(name));
}

async function differences({ stack }: Platform): Promise<string[]> {
  const [{ names, pending }, found] = await Promise.all([inState(stack), inCluster()]);
  const kindsFound = new Set(found.map((name) => name.split(" ")[0]));
  const gone = [...names].filter((name) => kindsFound.has(name.split(" ")[0]) && !found.includes(name));
  return [
    ...found.filter((name) => !names.has(name)).map((name) => `Pulumi does not know of ${name}`),
    ...gone.map((name) => `Pulumi has ${name}, which is not there`),
    ...(pending === 0 ? [] : [`Pulumi's state has ${pending} operations that never ended`]),
  ];
}

export const stateAgrees: Invariant = {
  name: "state agrees with the cluster",
  async begin(platform) {
    const first = await differences(platform);
    if (first.length > 0) throw new Error(`to begin with: ${first.join("; ")}`);
    return { look: async () => ({ breaches: await differences(platform) }), end: async () => {} };
  },
};
