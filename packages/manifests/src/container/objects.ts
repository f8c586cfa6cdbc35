import { hashOf } from "../common/crypto.ts";
import type { Kind } from "../common/kinds.ts";
import type { Manifest } from "../common/manifest.ts";
import { type Declared, declared } from "../common/objects.ts";
import { patched } from "../common/patch.ts";
import { type Placed, whenRecorded } from "../common/placed.ts";
import type { SecretValues } from "../common/pod.ts";
import { type FrpcSecrets, frpcObjects } from "../frpc/objects.ts";
import { hostService, hostSshpodAccess } from "../host/objects.ts";
import { idleGrants } from "../idle/objects.ts";
import { hostRoute } from "../istio/ssh-route.ts";
import { type ContainerHostKey, sshdManifests } from "../sshd/objects.ts";
import { hostKeyMark } from "../sshd/restart-marks.ts";
import { idleSettings } from "../sshd/sshd-config-map.ts";
import { containerDisruptionBudget } from "./disruption-budget.ts";
import { homeClaim } from "./home.ts";
import { containerNetworkPolicy } from "./network-policy.ts";
import type { ContainerObject } from "./patches.ts";
import { persistClaim } from "./persist.ts";
import type { DevContainerPlan } from "./plan.ts";
import { secretEnvSecret } from "./secret-env.ts";
import { containerServiceAccount } from "./service-account.ts";
import { statefulSet } from "./stateful-set.ts";

/** What a container's objects are made of besides its arguments. */
export interface ContainerSecrets {
  /** Of a container with sshd. */
  readonly hostKey: ContainerHostKey | undefined;
  /** Of a container with frpc. */
  readonly frpc: FrpcSecrets | undefined;
  /** Of a pod with secret variables. The mark changes when they do, and is safe to show. */
  readonly env: { readonly values: SecretValues; readonly mark: Placed<string> } | undefined;
}

/** A container's objects. The pod comes last: it waits for everything without which it would start wrong. */
export function devContainerObjects(plan: DevContainerPlan, { hostKey, frpc, env }: ContainerSecrets) {
  const own = <K extends Kind>(object: ContainerObject, manifest: Manifest<K>): Declared<K> =>
    declared(patched(manifest, plan.patches[object]));
  // `kept` is retainOnDelete and not protect: a protected claim would make the removal of the container fail.
  const data = (object: "home" | "persist", manifest: Manifest<"PersistentVolumeClaim">) => ({
    ...own(object, manifest),
    kept: true,
  });
  const persists = plan.persist.length > 0 && plan.persistVolume.claimName === undefined;
  const account = containerServiceAccount(plan);
  const files = hostKey && sshdManifests(plan, hostKey);
  const sshd = files && {
    "authorized-keys": own("authorizedKeys", files.authorizedKeys),
    "host-key": own("hostKey", files.hostKey),
    sshd: own("sshd", files.sshd),
  };
  const [culler, activator] = idleGrants(plan);
  const before = {
    home: plan.home.claimName === undefined && data("home", homeClaim(plan)),
    persist: persists && data("persist", persistClaim(plan)),
    ...sshd,
    network: own("network", containerNetworkPolicy(plan)),
    service: own("service", hostService(plan, plan.ports)),
    ...frpcObjects(plan, frpc),
    env: env && declared(secretEnvSecret(plan, env.values)),
    "service-account": account && declared(account),
    culler: culler && declared(culler.role),
    "culler-binding": culler && declared(culler.binding, { after: ["culler"] }),
    activator: activator && declared(activator.role),
    "activator-binding": activator && declared(activator.binding, { after: ["activator"] }),
  };
  const sshpod = hostSshpodAccess(plan);
  const { gateway } = plan.access;
  const beside = {
    disruption: own("disruption", containerDisruptionBudget(plan)),
    sshpod: sshpod && own("sshpod", sshpod.role),
    "sshpod-binding": sshpod && own("sshpodBinding", sshpod.binding),
    route: gateway && own("route", hostRoute(plan, gateway)),
  };
  const copiedAtStart =
    plan.containersInside && files
      ? whenRecorded(files.authorizedKeys.data as Record<string, Placed<string>>, (texts) =>
          hashOf([texts, idleSettings(plan)]),
        )
      : undefined;
  const hostKeys = hostKey && hostKeyMark(hostKey.publicKeys);
  const set = statefulSet(plan, hostKeys, copiedAtStart, env?.mark);
  return { ...before, ...beside, workload: { ...own("workload", set), after: Object.keys(before) } };
}

export type DevContainerObjects = ReturnType<typeof devContainerObjects>;
