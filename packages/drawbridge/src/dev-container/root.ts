/** Root inside, and nobody on the node: who may have it, and what the pod and its containers ask for then. */
import { differ, known } from "../kit/placed.ts";
import type { Fields, RaiseFault } from "../kit/schema.ts";
import {
  engineContainer,
  restrictedContainer,
  restrictedPod,
  rootContainer,
  rootPod,
} from "../kubernetes/security.ts";
import type { DevContainerParsed } from "./args.ts";

type Plan = Pick<DevContainerParsed, "root" | "containersInside" | "user"> & {
  readonly fsGroup: number | undefined;
  readonly supplementalGroups: number[];
};
type Args = Partial<DevContainerParsed>;

/** Where the home is mounted. */
export function homeOf(userName: string): string {
  return userName === "root" ? "/root" : `/home/${userName}`;
}

export function podSecurity({ root, user, fsGroup, supplementalGroups }: Omit<Plan, "containersInside">) {
  const {
    fsGroup: _,
    fsGroupChangePolicy,
    ...rest
  } = root ? rootPod(user.uid, user.gid) : restrictedPod(user.uid, user.gid);
  return {
    ...rest,
    ...(fsGroup === undefined ? {} : { fsGroup, fsGroupChangePolicy }),
    ...(supplementalGroups.length > 0 ? { supplementalGroups } : {}),
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
  if (root === true && !fields.isGiven("team")) fault(["team"], "team-missing");
  if (root === true && known(team?.root) === false) fault(["team", "root"], "root-not-allowed");
  const other = team?.namespace;
  if (other !== undefined && namespace !== undefined && differ(other, namespace)) {
    fault(["team", "namespace"], "team-differs", { other, namespace });
  }
}

// The kubelet writes these volumes as root of the node, and follows links that root inside may plant if it may mount
// (host/sshd/volumes.ts).
function checkContainersInside(args: Args, fault: RaiseFault): void {
  const { root, team, ssh, secretFiles = [], trustedCa, access, serviceAccount, volumes = [] } = args;
  for (const index of secretFiles.keys()) fault(["secretFiles", index], "engine-secret-files");
  if (trustedCa !== undefined) fault(["trustedCa"], "engine-trusted-ca");
  if (access?.frp !== undefined && access.frp.enabled !== false) fault(["access", "frp"], "engine-frp");
  if (serviceAccount?.token === true) fault(["serviceAccount", "token"], "engine-token");
  for (const [index, { emptyDir, persistentVolumeClaim, ephemeral }] of volumes.entries()) {
    if (emptyDir ?? persistentVolumeClaim ?? ephemeral) continue;
    fault(["volumes", index], "engine-volume");
  }
  for (const list of ["mounts", "storage"] as const) {
    for (const [index, { readOnly }] of (args[list] ?? []).entries()) {
      if (!readOnly) continue;
      fault([list, index, "readOnly"], "engine-read-only");
    }
  }
  if (root === false) fault(["containersInside"], "engine-needs-root");
  if (known(team?.containersInside) === false) fault(["team", "containersInside"], "engine-not-allowed");
  if (ssh?.mode === "sidecar" || ssh?.mode === "none") {
    fault(["ssh", "mode"], "engine-ssh-mode", { mode: ssh.mode });
  }
}

function checkUser({ root, user, ssh }: Args, fault: RaiseFault): void {
  const { name, uid, gid, shell } = user ?? {};
  if (uid !== undefined && uid > 0 && uid < 1000) fault(["user", "uid"], "uid-of-system", { uid });
  const isNamedRoot = name === "root";
  if (uid === 0 && !isNamedRoot && name !== undefined) fault(["user", "uid"], "uid-of-root");
  if (gid === 0 && !isNamedRoot && name !== undefined) fault(["user", "gid"], "gid-of-root");
  if (isNamedRoot) {
    if (root === false) fault(["user", "name"], "root-user-without-root");
    if (uid !== undefined && uid !== 0) fault(["user", "uid"], "root-needs-id-zero");
    if (gid !== undefined && gid !== 0) fault(["user", "gid"], "root-needs-id-zero");
    if (shell !== undefined) fault(["user", "shell"], "root-shell");
  } else if (root === true && name !== undefined && ssh?.mode === "injected") {
    fault(["user", "name"], "root-in-foreign-image", { name });
  }
}

function checkIds(args: Args, fault: RaiseFault): void {
  const { user, fsGroup, supplementalGroups = [], initContainers = [], sidecars = [] } = args;
  const ids: [path: PropertyKey[], id: number | undefined][] = [
    [["user", "uid"], user?.uid],
    [["user", "gid"], user?.gid],
    [["fsGroup"], fsGroup],
    ...supplementalGroups.map((id, index): [PropertyKey[], number] => [["supplementalGroups", index], id]),
    ...Object.entries({ initContainers, sidecars }).flatMap(([list, helpers]) =>
      helpers.flatMap(({ securityContext }, index): [PropertyKey[], number | undefined][] =>
        (["runAsUser", "runAsGroup"] as const).map((field) => [
          [list, index, "securityContext", field],
          securityContext[field],
        ]),
      ),
    ),
  ];
  for (const [path, id] of ids) {
    if (id !== undefined && id >= idsInside) {
      fault(path, "id-outside-user-namespace", { id, highest: idsInside - 1 });
    }
  }
}
