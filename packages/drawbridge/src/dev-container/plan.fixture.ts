/** Plans and objects for the unit tests of this folder. */
import { parseArgs } from "../kit/args-error.ts";
import { faultsFrom } from "../kit/faults.fixture.ts";
import type { DevContainerInput } from "./args.ts";
import { devContainerSchema } from "./args-checks.ts";
import { type ContainerSecrets, devContainerObjects } from "./objects.ts";
import { type KnownPlan, planDevContainer } from "./plan.ts";
import { statefulSet } from "./stateful-set.ts";

export const aliceKey =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice";
export const bobKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKSJUBAXxKZBSdSAfMuYRLkpUPF6MzhAfOe7TXFnsUIW bob";
export const seed = "correct horse battery staple correct horse";

/** The fewest arguments that a container needs. */
export const required = {
  namespace: "team-a",
  image: "registry.example.com/devcontainer:1.4.0",
  authorizedKeys: [aliceKey],
  hostKey: { seed },
} satisfies DevContainerInput;

export const gateway = {
  name: "ssh",
  namespace: "ssh-ingress",
  domain: "dev.example.com",
  plainPort: 80,
} as const;

export const manyPorts = (count: number, rest: object = {}) =>
  Array.from({ length: count }, (_, index) => ({ name: `p-${index}`, port: 10_000 + index, ...rest }));

/** A way in, unless the arguments have one or need none. */
function withWayIn(args: { readonly access?: object | undefined; readonly ssh?: unknown }): object {
  const isOpen = Object.keys(args.access ?? {}).some((key) => ["gateway", "frp", "sshpod"].includes(key));
  const hasSshd = (args.ssh as { mode?: string } | undefined)?.mode !== "none";
  return isOpen || !hasSshd ? args : { ...args, access: { sshpod: { users: ["alice"] }, ...args.access } };
}

/** The plan of container `dev1`. */
export function planOf(args: Partial<DevContainerInput> = {}): KnownPlan {
  return planDevContainer(
    "dev1",
    parseArgs("DevContainer", "dev1", devContainerSchema, { ...required, ...withWayIn(args) }),
  ) as KnownPlan;
}

export const hostKey = { privateKey: "private", nextPrivateKey: undefined, publicKeys: ["public"] };

/** The objects of container `dev1` by their keys. */
export const objectsOf = (args?: Partial<DevContainerInput>, secrets?: Partial<ContainerSecrets>) =>
  devContainerObjects(planOf(args), { hostKey, frpc: undefined, env: undefined, ...secrets });

interface Run {
  readonly exec: { readonly command: string[] };
}

interface PodContainer {
  readonly name: string;
  readonly image: string;
  readonly command?: string[];
  readonly args?: string[];
  readonly restartPolicy?: string;
  readonly env?: { name: string; value?: string; valueFrom?: object }[];
  readonly envFrom?: unknown;
  readonly lifecycle?: { readonly postStart?: Run; readonly preStop?: Run };
  readonly startupProbe?: Run;
  readonly readinessProbe?: Run;
  readonly resources?: unknown;
  readonly securityContext: { readonly capabilities?: object };
  readonly volumeMounts: { name: string; mountPath: string; subPath?: string; readOnly?: boolean }[];
}

interface PodTemplate {
  readonly metadata: { labels: Record<string, string>; annotations: Record<string, string> };
  readonly spec: Readonly<Record<string, unknown>> & {
    readonly volumes: { name: string }[];
    readonly initContainers: PodContainer[];
    readonly containers: [PodContainer];
  };
}

/** The pod template of container `dev1`, with these marks of its host keys and of files that are copied at start. */
export const templateOf = (args?: Partial<DevContainerInput>, hostKeys?: string, copied?: string) =>
  (statefulSet(planOf(args), hostKeys, copied).spec as unknown as { template: PodTemplate }).template;

/** The faults of the required arguments with these changes. */
export const faultsOf = (args: Record<string, unknown>) =>
  faultsFrom(() =>
    parseArgs("DevContainer", "dev1", devContainerSchema, { ...required, ...withWayIn(args) }),
  );
