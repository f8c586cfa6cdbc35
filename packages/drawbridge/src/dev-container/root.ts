/** Root in the container, which maps to an unprivileged user on the node: who may have it, and what the pod and its containers ask for then. */
import { differ, type Input, type InputList, known, listIfAny } from "../kit/input.ts";
import type { Fields, RaiseFault } from "../kit/schema.ts";
import { compact } from "../kubernetes/manifest.ts";
import {
  engineContainer,
  restrictedContainer,
  restrictedPod,
  rootContainer,
  rootPod,
} from "../kubernetes/security.ts";
import type { DevContainerParsed } from "./args.ts";

type Plan = Pick<DevContainerParsed, "root" | "containersInside" | "user"> & {
  readonly fsGroup: Input<number> | undefined;
  readonly supplementalGroups: InputList<number>;
};
type Args = Partial<DevContainerParsed>;

/** Where the home is mounted. */
export const homeOf = (userName: string): string => (userName === "root" ? "/root" : `/home/${userName}`);

export function podSecurity({ root, user, fsGroup, supplementalGroups }: Omit<Plan, "containersInside">) {
  const {
    fsGroup: _,
    fsGroupChangePolicy,
    ...rest
  } = root ? rootPod(user.uid, user.gid) : restrictedPod(user.uid, user.gid);
  return {
    ...rest,
    ...(fsGroup === undefined ? {} : { fsGroup, fsGroupChangePolicy }),
    ...compact({ supplementalGroups: listIfAny(supplementalGroups) }),
  };
}

/** The security context of containers in which people work; those that only prepare or help have the usual one. */
export function containerSecurity({ root, containersInside }: Pick<Plan, "root" | "containersInside">) {
  if (containersInside) return engineContainer;
  return root ? rootContainer : restrictedContainer;
}

/** Ids that a pod has in a user namespace of its own, by the kubelet's rule. */
const idsInside = 65_536;

export function checkRoot(args: Args, fault: RaiseFault, fields: Fields): void {
  checkNamespace(args, fault, fields);
  checkUser(args, fault);
  if (args.root === true) checkIds(args, fault);
  if (args.containersInside === true) checkContainersInside(args, fault);
}

function checkNamespace({ root, team, namespace }: Args, fault: RaiseFault, fields: Fields): void {
  if (root === true && !fields.isGiven("team"))
    fault`team: is missing; root needs a team that allows it, whose policies put pods into user namespaces: set the ref of a Team with root: {}, or in stack files let the platform set teams.<namespace>.root: {}`;
  if (root === true && known(team?.root) === false)
    fault`team.root: is false; root needs a team that allows it: let the platform make the Team with root: {}, or in stack files set teams.<namespace>.root: {}`;
  const other = team?.namespace;
  if (other !== undefined && namespace !== undefined && differ(other, namespace)) {
    fault`team.namespace: is ${other}, but the container is in ${namespace}; set its own`;
  }
}

// The kubelet writes these volumes as root of the node, and follows links that root inside may plant if it may mount
// (host/sshd/volumes.ts).
const unsafeVolume =
  "would be a volume that the kubelet writes as root of the node, which is unsafe where root inside may mount";

function checkContainersInside(args: Args, fault: RaiseFault): void {
  const { root, team, ssh, secretFiles = [], trustedCa, access, serviceAccount, pod } = args;
  for (const index of secretFiles.keys())
    fault`secretFiles[${index}]: ${unsafeVolume}; use envValueFrom, or remove containersInside`;
  if (trustedCa !== undefined) fault`trustedCa: ${unsafeVolume}; put the certificates into the image`;
  if (access?.frp !== undefined && access.frp.enabled !== false)
    fault`access.frp: keeps its token in a volume that the kubelet writes, which is unsafe where root inside may mount; use the gateway`;
  if (known(serviceAccount?.token) === true)
    fault`serviceAccount.token: ${unsafeVolume}; remove it, or containersInside`;
  for (const [index, { emptyDir, persistentVolumeClaim, ephemeral }] of (pod?.volumes ?? []).entries()) {
    if ([emptyDir, persistentVolumeClaim, ephemeral].some((source) => source !== undefined)) continue;
    fault`pod.volumes[${index}]: ${unsafeVolume}; use emptyDir, persistentVolumeClaim or ephemeral`;
  }
  for (const list of ["mounts", "storage"] as const) {
    for (const [index, { readOnly }] of (args[list] ?? []).entries()) {
      if (known(readOnly) !== true) continue;
      fault`${list}[${index}].readOnly: cannot be enforced where root inside may mount: it could mount the volume again, writable; remove it, or mount this in a container without containersInside`;
    }
  }
  if (root === false) fault`containersInside: needs root: true; set it, or remove containersInside`;
  if (known(team?.containersInside) === false)
    fault`team.containersInside: is false; containersInside needs a namespace whose policies allow it: let the platform make the Team with root: { containersInside: true }, or in stack files set teams.<namespace>.root: { containersInside: true }`;
  if (ssh?.mode === "sidecar" || ssh?.mode === "none") {
    fault`ssh.mode: "${ssh.mode}" does not support containersInside; choose image or injected`;
  }
}

function checkUser({ root, user, ssh }: Args, fault: RaiseFault): void {
  const [name, uid, gid] = [known(user?.name), known(user?.uid), known(user?.gid)];
  const { shell } = user ?? {};
  if (root === true && user?.uid !== undefined && uid === undefined)
    fault`user.uid: is known too late beside root: true, where it decides whether one logs in as root; set a plain number`;
  if (uid !== undefined && uid > 0 && uid < 1000)
    fault`user.uid: ${uid} is below 1000, in the range of system users; set at least 1000`;
  const isNamedRoot = name === "root";
  if (uid === 0 && !isNamedRoot && name !== undefined)
    fault`user.uid: 0 is root; set at least 1000, or name: root with root: true`;
  if (gid === 0 && !isNamedRoot && name !== undefined) fault`user.gid: 0 is root's group; set at least 1`;
  if (isNamedRoot) {
    if (root === false) fault`user.name: root needs root: true, which puts the pod into a user namespace`;
    if (uid !== undefined && uid !== 0) fault`user.uid: must be 0 for root`;
    if (gid !== undefined && gid !== 0) fault`user.gid: must be 0 for root`;
    if (shell !== undefined) fault`user.shell: is set by the image for root; remove it`;
  } else if (root === true && name !== undefined && ssh?.mode === "injected") {
    fault`user.name: ${name} cannot become root in an image without sudo; with mode "injected" and root set name: root, uid: 0, gid: 0`;
  }
}

function checkIds(args: Args, fault: RaiseFault): void {
  const { user, pod } = args;
  const { fsGroup, supplementalGroups = [], initContainers = [], sidecars = [] } = pod ?? {};
  const ids: [path: PropertyKey[], id: Input<number> | undefined][] = [
    [["user", "uid"], user?.uid],
    [["user", "gid"], user?.gid],
    [["pod", "fsGroup"], fsGroup],
    ...(known(supplementalGroups) ?? []).map((id, index): [PropertyKey[], Input<number>] => [
      ["pod", "supplementalGroups", index],
      id,
    ]),
    ...Object.entries({ initContainers, sidecars }).flatMap(([list, helpers]) =>
      helpers.flatMap(({ securityContext }, index): [PropertyKey[], Input<number> | undefined][] =>
        (["runAsUser", "runAsGroup"] as const).map((field) => [
          ["pod", list, index, "securityContext", field],
          securityContext[field],
        ]),
      ),
    ),
  ];
  for (const [path, given] of ids) {
    const id = known(given);
    if (id !== undefined && id >= idsInside) {
      fault`${path}: ${id} is outside the pod's user namespace, whose ids are 0 to ${idsInside - 1}`;
    }
  }
}
