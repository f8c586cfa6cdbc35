/** What someone may try to make in a namespace in which root is allowed inside. */
import type { ApiObject } from "./api-user.ts";

export type Part = Readonly<Record<string, unknown>>;

/** What two pods differ by: fields of the pod, of its first container, and of the first one's security context. */
export interface Fields {
  readonly pod?: Part;
  readonly container?: Part;
  readonly context?: Part;
}

export const seccompProfile = { type: "RuntimeDefault" };
const bases = {
  root: {
    pod: { hostUsers: false, securityContext: { seccompProfile } },
    context: { allowPrivilegeEscalation: true, capabilities: { drop: ["NET_RAW"] } },
  },
  restricted: {
    pod: { securityContext: { seccompProfile, runAsNonRoot: true, runAsUser: 1000 } },
    context: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
  },
} as const;

export function podWith(
  namespace: string,
  of: keyof typeof bases,
  { pod = {}, container = {}, context = {} }: Fields,
  image = "drawbridge.local/none:1",
): ApiObject {
  const base = bases[of];
  const capabilities = { ...base.context.capabilities, ...(context.capabilities as Part | undefined) };
  const own = { ...base.context, ...context, capabilities };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "inside", namespace },
    spec: {
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 0,
      ...base.pod,
      ...pod,
      containers: [
        {
          name: "dev",
          image,
          imagePullPolicy: "IfNotPresent",
          command: ["sleep", "3600"],
          securityContext: own,
          ...container,
        },
      ],
    },
  };
}

/** A container that someone adds to a pod that runs: `kubectl debug`. */
export const ephemeral = (capabilities: Part) => ({
  spec: {
    ephemeralContainers: [
      { name: "debug", image: "drawbridge.local/none:1", securityContext: { capabilities } },
    ],
  },
});

export const serviceOf = (namespace: string, type: string): ApiObject => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "door", namespace },
  spec: { type, selector: { app: "door" }, ports: [{ name: "tcp-door", port: 80 }] },
});
