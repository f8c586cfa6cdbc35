/** What a component makes for itself before its programs: a namespace of its own and their identity. */
import { outOfAmbient, restrictedNamespaceLabels } from "./labels.ts";
import { compact, type Manifest } from "./manifest.ts";

interface Owner {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Under Pod Security "restricted", and out of Istio's ambient data plane, which would end long connections. */
export function ownNamespace(owner: Owner): Manifest {
  return {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: {
      name: owner.namespace,
      labels: { ...owner.labels, ...restrictedNamespaceLabels, ...outOfAmbient },
    },
  };
}

/** @param token whether pods get its token without asking; Istio's proxies do not need that to be said */
export function serviceAccount(name: string, owner: Owner, token?: false): Manifest {
  return compact({
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name, namespace: owner.namespace, labels: owner.labels },
    automountServiceAccountToken: token,
  });
}
