/** What the caller puts into the pod besides ours: volumes, init containers and sidecars. */

import { isDeferred, known, listIfAny, whenKnown } from "../kit/input.ts";
import type { Fields, RaiseFault } from "../kit/schema.ts";
import type { Container, Volume } from "../kubernetes/kinds.ts";
import { compact, ifAny } from "../kubernetes/manifest.ts";
import { checkVariables, type Mount, type PodPart, readOnlyIf } from "../kubernetes/pod.ts";
import { helperResources, podResources } from "../kubernetes/resources.ts";
import { restrictedContainer } from "../kubernetes/security.ts";
import type { DevContainerParsed } from "./args.ts";
import type { Helper } from "./args-additions.ts";
import { containerVariables } from "./environment.ts";
import type { DevContainerPlan } from "./plan.ts";
import { homeLink, homeVolume } from "./volumes.ts";

export function volumesPart({ volumes, volumeMounts }: DevContainerPlan): PodPart {
  return {
    // The schema has checked these; they already have Kubernetes' own fields.
    volumes: volumes.map((volume) => compact(volume) as unknown as Volume),
    mounts: mountsOf(volumeMounts),
  };
}

/**
 * The caller's containers come after ours, so that one that fails or hangs does the least harm. A sidecar is of
 * Kubernetes' own kind: an init container that keeps running, starts before the container and ends after it.
 */
export function helpersPart(plan: DevContainerPlan): PodPart {
  return {
    initContainers: [
      ...plan.initContainers.map((helper) => helperContainer(helper, plan)),
      ...plan.sidecars.map((helper) => ({ ...helperContainer(helper, plan), restartPolicy: "Always" })),
    ],
  };
}

function mountsOf(mounts: DevContainerParsed["volumeMounts"]): Mount[] {
  return mounts.map(({ readOnly, ...mount }) => ({ ...compact(mount), ...readOnlyIf(readOnly) }));
}

function helperContainer(helper: Helper, plan: DevContainerPlan): Container {
  const { envValueFrom: _, secretEnv: __, ...given } = helper;
  return compact({
    ...given,
    command: listIfAny(given.command),
    args: listIfAny(given.args),
    ...containerVariables({ ...helper, environment: helper.env }, plan.names.secretEnv, helper.name),
    ports: ifAny(given.ports ?? []),
    resources: podResources(given.resources, helperResources),
    securityContext: { ...restrictedContainer, ...compact(given.securityContext) },
    volumeMounts: ifAny(mountsOf(given.volumeMounts).map(insideHome)),
  });
}

/** A helper sees of the home what the container sees, and not the whole claim. */
function insideHome(mount: Mount): Mount {
  if (mount.name !== homeVolume) return mount;
  const { subPath = "" } = mount;
  return {
    ...mount,
    subPath: whenKnown(subPath, (folder) => (folder === "" ? homeLink : `${homeLink}/${folder}`)),
  };
}

// The names that our own volumes and containers have in one mode or another.
const ownVolume =
  /^(home|persist|shm|drawbridge|host-key|authorized-keys|ca-bundle|frpc|frpc-run|sshd-config|sshd-run|(mount|secret|storage)-\d+)$/;
const ownContainer = /^(dev|sshd|frpc|home-folder|seed|sshd-bundle|sshd-files|accounts)$/;

type Args = Partial<DevContainerParsed>;

export function checkAdditions(args: Args, fault: RaiseFault, { isValid }: Fields): void {
  const volumes = args.pod?.volumes ?? [];
  const names = volumes.map(({ name }) => name);
  // While `pod.volumes` is at fault, a mount of an unknown volume is no fault: it may mean one of the faulty volumes.
  const mountable = isValid("pod", "volumes") ? names : undefined;
  for (const [index, { name, projected }] of volumes.entries()) {
    if (ownVolume.test(name))
      fault`pod.volumes[${index}].name: ${name} is the container's own; choose another name`;
    if (names.indexOf(name) < index)
      fault`pod.volumes[${index}].name: ${name} is used twice; give each its own name`;
    if (known(args.serviceAccount?.token) === false && handsOutToken(known(projected))) {
      fault`pod.volumes[${index}].projected: gives out a token of the Kubernetes API; set audience to another service, or set serviceAccount.token`;
    }
  }
  checkMounts(["volumeMounts"], args.volumeMounts, mountable, fault);
  checkVariables([], variablesOf(args), fault);
  const containers: string[] = [];
  for (const list of ["initContainers", "sidecars"] as const) {
    for (const [index, helper] of (args.pod?.[list] ?? []).entries()) {
      const at = ["pod", list, index];
      if (ownContainer.test(helper.name)) {
        fault`${at}.name: ${helper.name} is one of the pod's own containers; choose another name`;
      }
      if (containers.includes(helper.name))
        fault`${at}.name: ${helper.name} is used twice; give each its own name`;
      containers.push(helper.name);
      // Init containers and sidecars may mount the home too, to copy, index or back it up.
      checkMounts([...at, "volumeMounts"], helper.volumeMounts, mountable && [...mountable, "home"], fault);
      checkVariables(at, variablesOf(helper), fault);
    }
  }
  checkServiceAccount(args, fault);
}

const variablesOf = ({ env, envValueFrom, secretEnv }: Pick<Args, "env" | "envValueFrom" | "secretEnv">) => ({
  env,
  envValueFrom,
  secretEnv,
});

/**
 * Whether a token for the API server is among what is projected; one for another audience does not count. Kubernetes takes
 * an empty audience for none.
 */
function handsOutToken(projected: Readonly<Record<string, unknown>> | undefined): boolean {
  const sources = Array.isArray(projected?.sources) ? projected.sources : [];
  return sources.some((source) => {
    const token = source?.serviceAccountToken;
    return Boolean(token) && !isDeferred(token) && !token.audience;
  });
}

function checkMounts(
  path: PropertyKey[],
  mounts: Args["volumeMounts"],
  names: readonly string[] | undefined,
  fault: RaiseFault,
) {
  if (names === undefined) return;
  for (const [index, { name }] of (mounts ?? []).entries()) {
    if (names.includes(name)) continue;
    fault`${path}[${index}].name: ${name} is not a volume of this pod; pod.volumes: ${names}`;
  }
}

function checkServiceAccount({ serviceAccount }: Args, fault: RaiseFault): void {
  if (serviceAccount === undefined || serviceAccount.create !== false) return;
  if (Object.keys(serviceAccount.annotations ?? {}).length > 0) {
    fault`serviceAccount.annotations: apply to an account that is created here; set create, or annotate the account where it is created`;
  }
}
