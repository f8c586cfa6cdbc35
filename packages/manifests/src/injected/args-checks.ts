/** Checks across the arguments of InjectedSshd, above all what a pod template must not have. */

import { isDeferred, known } from "../common/placed.ts";
import { across, type Fields, isPlainObject, type RaiseFault } from "../common/schema.ts";
import { within } from "../common/shapes.ts";
import { checkFrpAccess } from "../frpc/args.ts";
import { checkHostAccess, checkHostWays } from "../host/access.ts";
import { checkKeys } from "../sshd/args.ts";
import { sshdMountPaths } from "../sshd/bundle.ts";
import {
  type InjectedSshdParsed,
  injectedSshdFields,
  type PodTemplate,
  type TemplateContainer,
  type TemplateSpec,
  targetIndex,
} from "./args.ts";

type Args = Partial<InjectedSshdParsed>;

/**
 * Names that a sshd brings into a pod; a template that has one of them already cannot take it. A test compares them with
 * what the builders make.
 */
export const ownNames: { readonly volumes: readonly string[]; readonly containers: readonly string[] } = {
  volumes: ["drawbridge", "sshd-config", "authorized-keys", "host-key", "sshd-run", "frpc", "frpc-run"],
  containers: ["sshd-bundle", "accounts", "frpc"],
};

/** Nothing may be mounted there or below. */
export const ownMountPaths = [...sshdMountPaths, "/etc/passwd", "/etc/group"];

export const injectedSshdSchema = across(injectedSshdFields, checkInjected);

function checkInjected(args: Args, fault: RaiseFault, fields: Fields): void {
  const { ssh: _, ...login } = args;
  const { access } = login;
  checkKeys(login, fault);
  checkHostAccess(access, fault);
  checkFrpAccess(login, fault);
  checkHostWays(access, fault, fields);
  const template = known(args.podTemplate) as PodTemplate | undefined;
  if (template !== undefined) checkTemplate(template, args, fault);
}

const at = ["podTemplate", "spec"];
const lists = ["containers", "initContainers", "volumes"] as const;

function checkTemplate(template: PodTemplate, args: Args, fault: RaiseFault): void {
  const spec = known(template.spec) ?? {};
  const later = lists.filter((list) => !isPlainList(spec[list]));
  for (const list of later) fault([...at, list], "template-list-not-plain");
  for (const field of ["hostNetwork", "hostPID", "hostIPC"] as const) {
    if (known(spec[field]) === true) fault([...at, field], "template-of-the-node");
  }
  if (later.length > 0) return;
  checkNames(spec, fault);
  const { containers = [] } = spec;
  const index = targetIndex(containers, args.containerName);
  const target = containers[index];
  if (target !== undefined) checkTarget(spec, target, index, args, fault);
  else if (containers.length === 0) fault([...at, "containers"], "template-without-container");
  else {
    const names = containers.map(({ name }) => known(name));
    fault(["containerName"], "template-other-container", { name: args.containerName, names });
  }
}

function checkNames(spec: TemplateSpec, fault: RaiseFault): void {
  for (const list of lists) {
    const taken = list === "volumes" ? ownNames.volumes : ownNames.containers;
    for (const [place, { name }] of (spec[list] ?? []).entries()) {
      if (taken.includes(known(name) ?? ""))
        fault([...at, list, place, "name"], "template-name-taken", { name });
    }
  }
}

/** Whether the objects of a list are known; their fields may come later. */
const isPlainList = (list: unknown) =>
  list === undefined ||
  (Array.isArray(list) && list.every((item) => isPlainObject(item) && !isDeferred(item)));

/** The container that sessions are in. */
function checkTarget(
  spec: TemplateSpec,
  target: TemplateContainer,
  index: number,
  args: Args,
  fault: RaiseFault,
): void {
  const path = [...at, "containers", index];
  if (target.lifecycle?.postStart !== undefined)
    fault([...path, "lifecycle", "postStart"], "template-post-start");
  const { volumeMounts = [], ports = [] } = target;
  if (!isPlainList(volumeMounts)) fault([...path, "volumeMounts"], "template-list-not-plain");
  for (const [place, { mountPath }] of isPlainList(volumeMounts) ? volumeMounts.entries() : []) {
    const mounted = known(mountPath) ?? "";
    const clash = ownMountPaths.find((own) => within(mounted, own));
    if (clash !== undefined) {
      fault([...path, "volumeMounts", place, "mountPath"], "path-meets-own", { at: mounted, clash });
    }
  }
  for (const [place, { containerPort }] of isPlainList(ports) ? ports.entries() : []) {
    if (args.ssh !== undefined && known(containerPort) === args.ssh.port) {
      fault([...path, "ports", place, "containerPort"], "port-taken", { port: args.ssh.port });
    }
  }
  // The container's own user counts, and else the pod's.
  const said = [
    { user: target.securityContext?.runAsUser, where: path },
    { user: spec.securityContext?.runAsUser, where: at },
  ].find(({ user }) => user !== undefined);
  const uid = known(said?.user);
  if (said === undefined || uid === undefined || args.user === undefined || uid === args.user.uid) return;
  const where = [...said.where, "securityContext", "runAsUser"];
  if (uid === 0) fault(where, "template-of-root");
  else fault(where, "template-other-user", { uid, wanted: args.user.uid });
}
