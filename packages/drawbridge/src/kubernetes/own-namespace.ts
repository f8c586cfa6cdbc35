/** Namespaces, and service accounts of a component whose programs run in a namespace of their own. */

import type { Input } from "../kit/input.ts";
import { type PodSecurity, podSecurityLabels } from "./labels.ts";
import { compact, type Manifest, metadataOf } from "./manifest.ts";

export interface Owner {
  readonly namespace: Input<string>;
  readonly labels: Readonly<Record<string, string>>;
}

/** A namespace under Pod Security. */
export function namespace(
  name: Input<string>,
  labels: Readonly<Record<string, Input<string>>>,
  annotations?: Readonly<Record<string, Input<string>>>,
  level: PodSecurity = "restricted",
): Manifest<"Namespace"> {
  return {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: compact({ name, labels: { ...labels, ...podSecurityLabels(level) }, annotations }),
  };
}

interface AccountParts {
  /** Whether pods get its token without asking. */
  readonly token?: false;
  readonly annotations?: Readonly<Record<string, Input<string>>> | undefined;
}

export function serviceAccount(
  name: Input<string>,
  owner: Owner,
  { token, annotations }: AccountParts = {},
): Manifest<"ServiceAccount"> {
  return compact({
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: metadataOf(name, owner, annotations),
    automountServiceAccountToken: token,
  });
}
