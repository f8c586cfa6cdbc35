import type { SecretValues } from "../common/env.ts";
import { hashOf } from "../common/hash.ts";
import type { Kind } from "../common/kinds.ts";
import type { Manifest } from "../common/manifest.ts";
import { type Declared, declared } from "../common/objects.ts";
import { patched } from "../common/patch.ts";
import { type Placed, whenKnown, whenListed, whenRecorded } from "../common/placed.ts";
import { renderAuthorizedKeys } from "../ssh/authorized-keys.ts";
import { hostRoute } from "../ssh/host-route.ts";
import { hostSshpodAccess } from "../sshpod/access.ts";
import { authorizedKeysConfigMap } from "./authorized-keys.ts";
import { containerDisruptionBudget } from "./disruption-budget.ts";
import { frpcConfigMap, frpcSecret } from "./frpc-files.ts";
import { frpGrant, frpGrantBinding, frpGrantRole } from "./frpc-grant.ts";
import { homeClaim } from "./home.ts";
import { hostKeySecret } from "./host-key.ts";
import { idleGrants } from "./idle.ts";
import { containerNetworkPolicy } from "./network-policy.ts";
import type { ContainerObject } from "./patches.ts";
import { persistClaim } from "./persist.ts";
import type { DevContainerPlan } from "./plan.ts";
import { secretEnvSecret } from "./secret-env.ts";
import { containerService } from "./service.ts";
import { containerServiceAccount } from "./service-account.ts";
import { idleSettings, sshdConfigMap } from "./sshd-config-map.ts";
import { statefulSet } from "./stateful-set.ts";

/** What a container's objects are made of besides its arguments. */
export interface ContainerSecrets {
  /** Of a container with a sshd. */
  readonly hostKey: ContainerHostKey | undefined;
  /** Of a container with a frpc. */
  readonly frpc: { readonly token: Placed<string>; readonly tokenSha256: Placed<string> } | undefined;
  /** Of a pod with secret variables; the mark is safe to show. */
  readonly env: { readonly values: SecretValues; readonly mark: Placed<string> } | undefined;
}

/** The private keys are secret, the public ones in the order in which sshd has them. */
export interface ContainerHostKey {
  readonly privateKey: Placed<string>;
  readonly nextPrivateKey: Placed<string> | undefined;
  readonly publicKeys: Placed<string[]>;
}

/** A container's objects. The pod comes last: it waits for everything without which it would start wrong. */
export function devContainerObjects(plan: DevContainerPlan, { hostKey, frpc, env }: ContainerSecrets) {
  const own = <K extends Kind>(object: ContainerObject, manifest: Manifest<K>): Declared<K> =>
    declared(patched(manifest, plan.patches[object]));
  // It stays by retainOnDelete and not by protect: a protected resource would make the removal itself fail.
  const data = (object: "home" | "persist", manifest: Manifest<"PersistentVolumeClaim">) => ({
    ...own(object, manifest),
    kept: true,
  });
  const persists = plan.persist.length > 0 && plan.persistVolume.claimName === undefined;
  const account = containerServiceAccount(plan);
  const keys = authorizedKeysConfigMap(
    plan,
    whenListed(plan.authorizedKeys, renderAuthorizedKeys),
    plan.userCa && whenListed(plan.userCa.keys, renderAuthorizedKeys),
  );
  const sshd = hostKey && {
    "authorized-keys": own("authorizedKeys", keys),
    "host-key": own(
      "hostKey",
      hostKeySecret(plan, publicLines(hostKey), hostKey.privateKey, hostKey.nextPrivateKey),
    ),
    sshd: own("sshd", sshdConfigMap(plan)),
  };
  const [culler, activator] = idleGrants(plan);
  const authorizer = plan.frpc?.authorizer;
  const before = {
    home: plan.home.claimName === undefined && data("home", homeClaim(plan)),
    persist: persists && data("persist", persistClaim(plan)),
    ...sshd,
    network: own("network", containerNetworkPolicy(plan)),
    service: own("service", containerService(plan)),
    ...(plan.frpc &&
      frpc && {
        frpc: declared(frpcConfigMap(plan, plan.frpc)),
        "frp-token": declared(frpcSecret(plan, plan.frpc, frpc.token)),
        ...(authorizer && {
          "frp-grant": declared(frpGrant(plan, plan.frpc, frpc.tokenSha256)),
          "frp-grant-role": declared(frpGrantRole(plan, plan.frpc)),
          "frp-grant-binding": declared(frpGrantBinding(plan, plan.frpc, authorizer)),
        }),
      }),
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
  const set = statefulSet(
    plan,
    hostKey && whenKnown(hostKey.publicKeys, (known) => hashOf(known)),
    plan.containersInside
      ? whenRecorded(keys.data as Record<string, Placed<string>>, (files) =>
          hashOf([files, idleSettings(plan)]),
        )
      : undefined,
    env?.mark,
  );
  return { ...before, ...beside, workload: { ...own("workload", set), after: Object.keys(before) } };
}

export type DevContainerObjects = ReturnType<typeof devContainerObjects>;

const publicLines = ({ publicKeys }: ContainerHostKey) => whenKnown(publicKeys, (known) => known.join("\n"));
