/** A pod template as somebody wrote it: the fields that are looked at. All others stay as they are. */
import type { Container, Volume } from "../common/kinds.ts";
import { known, type Placed } from "../common/placed.ts";

type Labels = Readonly<Record<string, Placed<string>>>;

export interface TemplateSecurity {
  readonly runAsUser?: Placed<number>;
  readonly fsGroup?: Placed<number>;
  readonly sysctls?: readonly { readonly name: string; readonly value: string }[];
}

export interface PodTemplate {
  readonly metadata?: { readonly labels?: Labels; readonly annotations?: Labels };
  readonly spec?: TemplateSpec;
}

export interface TemplateSpec {
  readonly hostNetwork?: Placed<boolean>;
  readonly hostPID?: Placed<boolean>;
  readonly hostIPC?: Placed<boolean>;
  readonly securityContext?: TemplateSecurity;
  readonly containers?: readonly TemplateContainer[];
  readonly initContainers?: readonly TemplateContainer[];
  readonly volumes?: readonly Volume[];
}

export type TemplateContainer = Omit<
  Container,
  "securityContext" | "lifecycle" | "volumeMounts" | "ports"
> & {
  readonly securityContext?: TemplateSecurity;
  readonly lifecycle?: { readonly postStart?: unknown };
  readonly volumeMounts?: readonly { readonly mountPath: Placed<string> }[];
  readonly ports?: readonly { readonly containerPort: Placed<number> }[];
};

/** The place of the container that sessions are in, or -1. */
export function targetIndex(
  containers: readonly { name: Placed<string> }[],
  name: string | undefined,
): number {
  if (name === undefined) return containers.length > 0 ? 0 : -1;
  return containers.findIndex((container) => known(container.name) === name);
}
