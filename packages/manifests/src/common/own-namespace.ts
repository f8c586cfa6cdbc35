/** Namespace and service accounts of a component whose programs run in a namespace of their own. */
import { outOfAmbient, type PodSecurity, podSecurityLabels } from "./labels.ts";
import { compact, type Manifest } from "./manifest.ts";
import type { Placed } from "./placed.ts";

interface Owner {
  readonly namespace: Placed<string>;
  readonly labels: Readonly<Record<string, string>>;
}

/** A namespace under Pod Security. */
export function namespace(
  name: Placed<string>,
  labels: Readonly<Record<string, Placed<string>>>,
  annotations?: Readonly<Record<string, Placed<string>>>,
  level: PodSecurity = "restricted",
): Manifest<"Namespace"> {
  return {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: compact({ name, labels: { ...labels, ...podSecurityLabels(level) }, annotations }),
  };
}

/** Out of Istio's ambient data plane too, which would end long connections. */
export function ownNamespace(owner: Owner): Manifest<"Namespace"> {
  return namespace(owner.namespace, { ...owner.labels, ...outOfAmbient });
}

interface AccountParts {
  /** Whether pods get its token without asking; Istio's proxies do not need that to be said. */
  readonly token?: false;
  readonly annotations?: Readonly<Record<string, Placed<string>>> | undefined;
}

export function serviceAccount(
  name: Placed<string>,
  owner: Owner,
  { token, annotations }: AccountParts = {},
): Manifest<"ServiceAccount"> {
  return compact({
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: compact({ name, namespace: owner.namespace, labels: owner.labels, annotations }),
    automountServiceAccountToken: token,
  });
}
