import { egressObjects } from "../host/egress/objects.ts";
import { type EgressSecrets, egressMark } from "../host/egress/token.ts";
import { type FrpcSecrets, frpcObjects } from "../host/frpc/objects.ts";
import { idleGrants } from "../host/idle/objects.ts";
import { hostService, hostSshpodAccess } from "../host/objects.ts";
import { type ContainerHostKey, hostKeyMark, idleSettings, sshdManifests } from "../host/sshd/files.ts";
import { hostRoute } from "../istio/ssh-route.ts";
import { hashOf } from "../kit/crypto.ts";
import { type Input, whenKnown, whenSettled } from "../kit/input.ts";
import { secret, volumeClaim } from "../kubernetes/data.ts";
import type { Kind } from "../kubernetes/kinds.ts";
import { ifAny, type Manifest } from "../kubernetes/manifest.ts";
import { type Declared, declared } from "../kubernetes/objects.ts";
import { serviceAccount } from "../kubernetes/own-namespace.ts";
import { patched } from "../kubernetes/patch.ts";
import type { SecretValues } from "../kubernetes/pod.ts";
import { disruptionBudget } from "../kubernetes/workload.ts";
import { containerNetworkPolicy } from "./network-policy.ts";
import type { ContainerObject } from "./patches.ts";
import type { DevContainerPlan } from "./plan.ts";
import { statefulSet } from "./stateful-set.ts";

/** What a container's objects are made of besides its arguments. */
export interface ContainerSecrets {
  /** Of a container with sshd. */
  readonly hostKey: ContainerHostKey | undefined;
  /** Of a container with frpc. */
  readonly frpc: FrpcSecrets | undefined;
  /** Of a container that reaches hosts by name. */
  readonly egress?: EgressSecrets | undefined;
  /** Of a pod with secret variables. The mark changes when they do, and is safe to show. */
  readonly env: { readonly values: SecretValues; readonly mark: Input<string> } | undefined;
}

/** A container's objects. The pod comes last: it waits for everything without which it would start wrong. */
export function devContainerObjects(
  plan: DevContainerPlan,
  { hostKey, frpc, egress, env }: ContainerSecrets,
) {
  const own = <K extends Kind>(object: ContainerObject, manifest: Manifest<K>): Declared<K> =>
    declared(patched(manifest, plan.patches[object]));
  const { names, persist } = plan;
  // `kept` is retainOnDelete and not protect: a protected claim would make the removal of the container fail.
  const data = (object: "home" | "persist", volume: typeof plan.home) => ({
    ...own(object, volumeClaim(plan, names[object], volume)),
    kept: true,
  });
  const persists = persist.paths.length > 0 && persist.claimName === undefined;
  const { create, annotations } = plan.serviceAccount;
  const files = hostKey && sshdManifests(plan, hostKey);
  const sshd = files && {
    "authorized-keys": own("authorizedKeys", files.authorizedKeys),
    "host-key": own("hostKey", files.hostKey),
    sshd: own("sshd", files.sshd),
  };
  const [culler, activator] = idleGrants(plan);
  const before = {
    home: plan.home.claimName === undefined && data("home", plan.home),
    persist: persists && data("persist", persist),
    ...sshd,
    network: own("network", containerNetworkPolicy(plan)),
    service: own("service", hostService(plan, plan.ports)),
    ...frpcObjects(plan, frpc),
    ...egressObjects(plan, egress),
    env: env && declared(secret(names.secretEnv, plan, env.values)),
    // Without rights of its own; by its annotations a cloud knows whom it stands for.
    "service-account":
      create &&
      names.serviceAccount !== undefined &&
      declared(serviceAccount(names.serviceAccount, plan, { token: false, annotations: ifAny(annotations) })),
    culler: culler && declared(culler.role),
    "culler-binding": culler && declared(culler.binding, { after: ["culler"] }),
    activator: activator && declared(activator.role),
    "activator-binding": activator && declared(activator.binding, { after: ["activator"] }),
  };
  const sshpod = hostSshpodAccess(plan);
  const { gateway } = plan.access;
  // With none the eviction API answers 429, so a node drain waits for a human.
  const movable = whenKnown(plan.eviction, (policy) => (policy === "never" ? 0 : 1));
  const beside = {
    disruption: own("disruption", disruptionBudget({ ...plan, name: names.workload }, movable)),
    sshpod: sshpod && own("sshpod", sshpod.role),
    "sshpod-binding": sshpod && own("sshpodBinding", sshpod.binding),
    route: gateway && own("route", hostRoute(plan, gateway)),
  };
  const copiedAtStart =
    plan.containersInside && files
      ? whenSettled([files.authorizedKeys.data, idleSettings(plan)], hashOf)
      : undefined;
  const hostKeys = hostKey && hostKeyMark(hostKey.publicKeys);
  const set = statefulSet(plan, hostKeys, copiedAtStart, env?.mark, egressMark(egress));
  return { ...before, ...beside, workload: { ...own("workload", set), after: Object.keys(before) } };
}

export type DevContainerObjects = ReturnType<typeof devContainerObjects>;
