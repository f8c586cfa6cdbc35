/** Root inside, and nobody on the node: who may have it, and what the pod and its containers ask for then. */
import type { Fields, RaiseFault } from "../common/schema.ts";
import {
  engineContainer,
  restrictedContainer,
  restrictedPod,
  rootContainer,
  rootPod,
} from "../common/security.ts";
import type { DevContainerParsed } from "./args.ts";

type Plan = Pick<DevContainerParsed, "root" | "containersInside" | "user">;
type Args = Partial<DevContainerParsed>;

/** Whether one logs in as root itself. */
export function isRoot({ uid }: Pick<DevContainerParsed["user"], "uid">): boolean {
  return uid === 0;
}

/** Where the home is mounted. */
export function homeOf(userName: string): string {
  return userName === "root" ? "/root" : `/home/${userName}`;
}

export function podSecurity({ root, user }: Omit<Plan, "containersInside">) {
  return root ? rootPod(user.uid, user.gid) : restrictedPod(user.uid, user.gid);
}

/** Of the containers in which people work; those that only prepare or help get nothing of it. */
export function containerSecurity({ root, containersInside }: Omit<Plan, "user">) {
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

function checkNamespace({ root, rootNamespace, namespace }: Args, fault: RaiseFault, fields: Fields): void {
  if (root === true && !fields.isGiven("rootNamespace")) {
    fault(
      ["rootNamespace"],
      "is missing; root needs a namespace in which the API server holds pods in user namespaces: give the ref of a RootNamespace, or in stack files let the platform say teams.<namespace>.root: {}",
    );
  }
  const other = rootNamespace?.namespace;
  if (other !== undefined && namespace !== undefined && other !== namespace) {
    fault(["rootNamespace", "namespace"], `is ${other}, and the container is in ${namespace}; give its own`);
  }
}

// The kubelet writes them as root of the node, and follows what whoever may mount has put there (sshd-copied.ts).
const written =
  "is in a volume that the kubelet writes to as root of the node, which nothing may be where root inside may mount";

function checkContainersInside(args: Args, fault: RaiseFault): void {
  const { root, rootNamespace, ssh, secretFiles = [], caBundle, access, serviceAccount, volumes = [] } = args;
  for (const index of secretFiles.keys()) {
    fault(["secretFiles", index], `${written}; give envValueFrom, or remove containersInside`);
  }
  if (caBundle !== undefined) fault(["caBundle"], `${written}; put the certificates into the image`);
  if (access?.frp !== undefined && access.frp.enabled !== false) {
    fault(["access", "frp"], `has its token in a volume that the kubelet writes to; come by the gateway`);
  }
  if (serviceAccount?.token === true) {
    fault(["serviceAccount", "token"], `${written}; remove it, or containersInside`);
  }
  for (const [index, { emptyDir, persistentVolumeClaim, ephemeral }] of volumes.entries()) {
    if (emptyDir ?? persistentVolumeClaim ?? ephemeral) continue;
    fault(["volumes", index], `${written}; give emptyDir, persistentVolumeClaim or ephemeral`);
  }
  for (const list of ["mounts", "storage"] as const) {
    for (const [index, { readOnly }] of (args[list] ?? []).entries()) {
      if (!readOnly) continue;
      fault(
        [list, index, "readOnly"],
        "is no wall where root inside may mount, since it would mount it anew and write; remove it, or mount this in a container without containersInside",
      );
    }
  }
  if (root === false) fault(["containersInside"], "needs root: true; set it, or remove containersInside");
  if (rootNamespace?.containersInside === false) {
    fault(
      ["rootNamespace", "containersInside"],
      "is false; containersInside needs a namespace whose policies allow it: let the platform make the RootNamespace with containersInside: true, or in stack files say teams.<namespace>.root: { containersInside: true }",
    );
  }
  if (ssh?.mode === "sidecar" || ssh?.mode === "none") {
    fault(["ssh", "mode"], `"${ssh.mode}" has no place for containersInside; choose image or injected`);
  }
}

function checkUser({ root, user, ssh }: Args, fault: RaiseFault): void {
  const { name, uid, gid, shell } = user ?? {};
  if (uid !== undefined && uid > 0 && uid < 1000) {
    fault(["user", "uid"], `${uid} is below 1000, where a system's own users are; give at least 1000`);
  }
  const isNamedRoot = name === "root";
  if (uid === 0 && !isNamedRoot && name !== undefined) {
    fault(["user", "uid"], "0 is root's; give at least 1000, or name: root with root: true");
  }
  if (gid === 0 && !isNamedRoot && name !== undefined) {
    fault(["user", "gid"], "0 is root's group; give at least 1");
  }
  if (isNamedRoot) {
    if (root === false)
      fault(["user", "name"], "root needs root: true, which puts the pod into a user namespace");
    if (uid !== undefined && uid !== 0) fault(["user", "uid"], "must be 0 for root");
    if (gid !== undefined && gid !== 0) fault(["user", "gid"], "must be 0 for root");
    if (shell !== undefined) fault(["user", "shell"], "is in the image's own accounts for root; remove it");
  } else if (root === true && name !== undefined && ssh?.mode === "injected") {
    fault(
      ["user", "name"],
      `${name} could not become root in an image that knows nothing of sudo; with mode "injected" and root give name: root, uid: 0, gid: 0`,
    );
  }
}

function checkIds({ user, initContainers = [], sidecars = [] }: Args, fault: RaiseFault): void {
  const ids: [path: PropertyKey[], id: number | undefined][] = [
    [["user", "uid"], user?.uid],
    [["user", "gid"], user?.gid],
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
      fault(path, `${id} is not in a user namespace, which has the ids 0 to ${idsInside - 1}`);
    }
  }
}
