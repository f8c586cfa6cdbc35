/** Checks across the arguments of InjectedSshd, above all what a pod template must not have. */

import { checkEgress } from "../host/egress/args.ts";
import { checkFrpAccess } from "../host/frpc/args.ts";
import { checkKeys } from "../host/sshd/args.ts";
import { sshdMountPaths } from "../host/sshd/bundle.ts";
import { checkHostAccess, checkHostWays } from "../host/ways/access.ts";
import { differ, isDeferred, known, same } from "../kit/input.ts";
import { across, type Fields, isPlainObject, type RaiseFault } from "../kit/schema.ts";
import { within } from "../kubernetes/shapes.ts";
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
 * Names that an sshd brings into a pod; a template that has one of them already cannot take it. A test compares them with
 * what the builders make.
 */
export const ownNames: { readonly volumes: readonly string[]; readonly containers: readonly string[] } = {
  volumes: [
    "drawbridge",
    "sshd-config",
    "authorized-keys",
    "host-key",
    "sshd-run",
    "frpc",
    "frpc-run",
    "egress",
  ],
  containers: ["sshd-bundle", "accounts", "frpc"],
};

/** Nothing may be mounted there or below. */
export const ownMountPaths = [...sshdMountPaths, "/etc/passwd", "/etc/group"];

export const injectedSshdSchema = across(injectedSshdFields, checkInjected);

function checkInjected(args: Args, fault: RaiseFault, fields: Fields): void {
  const { ssh: _, ...login } = args;
  const { access } = login;
  checkKeys(args, fault);
  checkHostAccess(access, fault);
  checkFrpAccess(login, fault);
  checkHostWays(access, fault, fields);
  checkEgress(login, fault, fields);
  if (login.egress?.hosts !== undefined && !fields.isGiven("podName"))
    fault`podName: is missing: the egress gateway knows a host by the address of its one pod; set the pod's name, as a StatefulSet's stays`;
  const template = known(args.podTemplate) as PodTemplate | undefined;
  if (template !== undefined) checkTemplate(template, args, fault);
}

const specPath = ["podTemplate", "spec"];
const lists = ["containers", "initContainers", "volumes"] as const;

const notKnownYet =
  "is not known yet, but entries must be added to it; write the list out, or set the whole podTemplate as one output";

function checkTemplate(template: PodTemplate, args: Args, fault: RaiseFault): void {
  if (isDeferred(template.spec)) {
    fault`${specPath}: ${notKnownYet}`;
    return;
  }
  const { spec = {} } = template;
  const notPlain = lists.filter((list) => !isPlainList(spec[list]));
  for (const list of notPlain) fault`${specPath}.${list}: ${notKnownYet}`;
  for (const field of ["hostNetwork", "hostPID", "hostIPC"] as const) {
    if (known(spec[field]) === true)
      fault`${specPath}.${field}: would put sshd on the node itself; remove it`;
  }
  if (notPlain.length > 0) return;
  checkNames(spec, fault);
  checkPorts(spec, args, fault);
  const { containers = [] } = spec;
  const index = targetIndex(containers, args.containerName);
  const target = containers[index];
  if (target !== undefined) checkTarget(spec, target, index, args, fault);
  else if (containers.length === 0)
    fault`${specPath}.containers: has no container into which sshd could be put`;
  else {
    const names = containers.map(({ name }) => known(name));
    // A name that comes later may be the one.
    if (names.includes(undefined)) return;
    fault`containerName: "${args.containerName}" is not among the containers of the template, which are ${names}`;
  }
}

function checkNames(spec: TemplateSpec, fault: RaiseFault): void {
  for (const list of lists) {
    const taken = list === "volumes" ? ownNames.volumes : ownNames.containers;
    for (const [place, { name }] of (spec[list] ?? []).entries()) {
      if (taken.includes(known(name) ?? ""))
        fault`${specPath}.${list}[${place}].name: "${name}" is the name of a part that sshd brings; rename the template's own`;
    }
  }
}

/** The containers of a pod share one network. */
function checkPorts(spec: TemplateSpec, { ssh }: Args, fault: RaiseFault): void {
  for (const list of ["containers", "initContainers"] as const) {
    for (const [index, container] of (spec[list] ?? []).entries()) {
      const { ports = [], restartPolicy } = container;
      // Other init containers end before sshd starts.
      if (list === "initContainers" && known(restartPolicy) !== "Always") continue;
      for (const [place, { containerPort, protocol = "TCP" }] of isPlainList(ports) ? ports.entries() : []) {
        if (ssh === undefined || !same(containerPort, ssh.port) || known(protocol) !== "TCP") continue;
        const path = [...specPath, list, index, "ports", place, "containerPort"];
        fault`${path}: ${ssh.port} is in use already; list each port once`;
      }
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
  const path = [...specPath, "containers", index];
  if (known(target.lifecycle)?.postStart !== undefined)
    fault`${path}.lifecycle.postStart: is taken: a container has one postStart hook, and it starts sshd; move the work of yours into the command or an init container`;
  if (args.egress?.hosts !== undefined && !isPlainList(target.env)) fault`${path}.env: ${notKnownYet}`;
  const { volumeMounts = [] } = target;
  if (!isPlainList(volumeMounts)) fault`${path}.volumeMounts: ${notKnownYet}`;
  for (const [place, { mountPath }] of isPlainList(volumeMounts) ? volumeMounts.entries() : []) {
    const mounted = known(mountPath) ?? "";
    const clash = ownMountPaths.find((own) => within(mounted, own));
    if (clash !== undefined) {
      fault`${path}.volumeMounts[${place}].mountPath: ${mounted} overlaps ${clash}, which the container needs; choose another path`;
    }
  }
  // The container's own user counts, and else the pod's.
  const given = [
    { user: target.securityContext?.runAsUser, base: path },
    { user: spec.securityContext?.runAsUser, base: specPath },
  ].find(({ user }) => user !== undefined);
  const uid = known(given?.user);
  if (given === undefined || uid === undefined || !differ(uid, args.user?.uid)) return;
  const place = [...given.base, "securityContext", "runAsUser"];
  if (uid === 0)
    fault`${place}: is root, and an injected sshd takes no login as root; set another user for the container, or use a DevContainer with root: true`;
  else
    fault`${place}: is ${uid}, and user.uid is ${known(args.user?.uid)}: sshd runs as the container's user; set user.uid to the same number`;
}
