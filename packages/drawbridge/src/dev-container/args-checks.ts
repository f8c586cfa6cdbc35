/** What must hold across DevContainer's arguments. A field that is at fault by itself is missing here; any may be. */

import { checkEgress } from "../host/egress/args.ts";
import { checkFrpAccess } from "../host/frpc/args.ts";
import { checkKeys } from "../host/sshd/args.ts";
import { sshdMountPaths } from "../host/sshd/bundle.ts";
import { engineStorage } from "../host/sshd/engine.ts";
import { checkHostAccess } from "../host/ways/access.ts";
import { checkPodMetadata } from "../istio/data-plane.ts";
import { most } from "../istio/team-limits.ts";
import { type Input, isEmpty, known, nameOf, same } from "../kit/input.ts";
import { across, type Fields, type RaiseFault } from "../kit/schema.ts";
import { amount, checkResources } from "../kubernetes/resources.ts";
import { within } from "../kubernetes/shapes.ts";
import { checkAdditions } from "./additions.ts";
import { type DevContainerParsed, devContainerFields } from "./args.ts";
import { checkIdle } from "./idle-checks.ts";
import { memoryLimit } from "./machine.ts";
import { checkPatches } from "./patches.ts";
import { checkRoot, homeOf } from "./root.ts";
import { checkStorages } from "./storages.ts";

type Args = Partial<DevContainerParsed>;

export const devContainerSchema = across(devContainerFields, checkContainer);

function checkContainer(args: Args, fault: RaiseFault, fields: Fields): void {
  checkSsh(args, fault);
  checkRoot(args, fault, fields);
  checkWaysIn(args, fault);
  checkKeys(args, fault);
  checkPaths(args, fault);
  checkStorages(args, fault);
  checkVolumes(args, fault);
  checkMachine(args, fault);
  checkPorts(args, fault);
  checkHostAccess(args.access, fault);
  checkFrpAccess(args, fault);
  checkEgress(args, fault, fields);
  checkIdle(args, fault);
  checkAdditions(args, fault, fields);
  checkPodMetadata(args.pod, fault);
  checkPatches(args, fault);
}

function checkSsh(
  { ssh, command = [], args = [], runImageCommand, access, startupScript }: Args,
  fault: RaiseFault,
): void {
  // It has a default, so it is missing only when it is at fault, and then nothing can be said of what depends on it.
  if (ssh?.mode === undefined) return;
  const { mode, image } = ssh;
  const needsImage = mode === "injected" || mode === "sidecar";
  if (needsImage && image === undefined) {
    const which = mode === "injected" ? "the sshd-bundle image" : "the image whose shell one lands in";
    fault`ssh.image: is missing; mode "${mode}" needs ${which}`;
  }
  if (!needsImage && image !== undefined)
    fault`ssh.image: has no effect in mode "${mode}"; remove it, or choose mode injected or sidecar`;
  if (mode === "none" && access?.gateway !== undefined)
    fault`access.gateway: has no effect without sshd; remove it, or choose another ssh.mode than "none"`;
  if (mode === "none" && startupScript !== undefined)
    fault`startupScript: needs sshd, which starts it; choose another ssh.mode than "none"`;
  if (runImageCommand && mode !== "injected") {
    fault`runImageCommand: applies to mode "injected" only, and the mode is "${mode}"; remove it`;
  }
  if (runImageCommand && !(isEmpty(command) && isEmpty(args))) {
    fault`runImageCommand: cannot be combined with command or args; remove them, or set it to false`;
  }
  if (mode === "injected" && !isEmpty(args) && isEmpty(command)) {
    fault`args: needs a command: the image's own entry point is not started in mode injected`;
  }
  if (mode === "image" && !isEmpty(command))
    fault`command: would replace the image's start of sshd; set args, which run beside it`;
}

function checkWaysIn({ ssh, access }: Args, fault: RaiseFault): void {
  // Both have defaults, so either is missing only when it is at fault.
  if (ssh?.mode === undefined || ssh.mode === "none" || access === undefined) return;
  const { gateway, frp, sshpod } = access;
  if (gateway === undefined && frp?.enabled !== true && sshpod === undefined)
    fault.as("no-way-in")`access: gives no way in, so no login is possible; set gateway, frp or sshpod`;
}

// What the pod's own machinery is mounted at; anything over it or in it would break logging in.
const reserved = [...sshdMountPaths, "/dev", "/proc", "/sys"];

/** A path, where it is known; others are looked at when all is. */
function placed(path: PropertyKey[], value: Input<string>) {
  const at = known(value);
  return at === undefined ? [] : [{ path, at }];
}

function checkPaths(args: Args, fault: RaiseFault): void {
  // Of a user whose name comes later the home is looked at when all is known.
  const user = known(args.user?.name ?? "jovyan");
  const home = user === undefined ? undefined : homeOf(user);
  const lists = ["mounts", "storage", "secretFiles", "volumeMounts"] as const;
  const places: { path: PropertyKey[]; at: string }[] = [
    ...lists.flatMap((list) =>
      (args[list] ?? []).flatMap(({ mountPath }, index) => {
        return placed([list, index, "mountPath"], mountPath);
      }),
    ),
    ...(args.persist?.paths ?? []).flatMap((path, index) => placed(["persist", "paths", index], path)),
  ];
  const taken = args.containersInside === true ? [...reserved, engineStorage] : reserved;
  for (const [index, { path, at }] of places.entries()) {
    if (home !== undefined && within(home, at))
      fault`${path}: ${at} would hide the home ${home}; choose another path`;
    if (home !== undefined && path[0] === "persist" && at !== home && within(at, home)) {
      fault`${path}: ${at} is inside the home ${home}, which is kept anyway; remove it`;
    }
    const clash = taken.find((own) => within(at, own) || within(own, at));
    if (clash !== undefined)
      fault`${path}: ${at} overlaps ${clash}, which the container needs; choose another path`;
    const other = places.slice(0, index).find((before) => within(at, before.at) || within(before.at, at));
    if (other !== undefined)
      fault`${path}: ${at} overlaps ${other.at}, which is set too; choose separate paths`;
  }
}

function checkVolumes(args: Args, fault: RaiseFault): void {
  for (const field of ["home", "persist"] as const) {
    const volume = args[field];
    if (volume?.claimName === undefined) continue;
    if (volume.storageClassName !== undefined) {
      fault`${field}.storageClassName: has no effect on the existing claim${nameOf(volume.claimName)}; remove one of the two`;
    }
  }
  const claims = (args.mounts ?? []).map(({ claimName }) => known(claimName));
  for (const [index, claim] of claims.entries()) {
    if (claim !== undefined && claims.indexOf(claim) < index)
      fault`mounts[${index}].claimName: ${claim} is mounted twice; mount each claim once`;
  }
}

/** 64 MiB: less is too little for a session. */
const leastMemoryBytes = 2 ** 26;
/** What is left for the programs to end after the warning. */
const stopSeconds = 5;

function checkMachine(args: Args, fault: RaiseFault): void {
  const { resources, ssh } = args;
  const { gpu, sharedMemory, ephemeralStorage } = resources ?? {};
  const stopWarningSeconds = known(args.stopWarningSeconds) ?? 0;
  const terminationGracePeriodSeconds =
    known(args.pod?.terminationGracePeriodSeconds) ?? Number.POSITIVE_INFINITY;
  for (const [path, own] of [
    [["resources"], resources],
    [["ssh", "resources"], ssh?.resources],
  ] as const) {
    checkResources(path, own, fault);
    if (own?.requests?.memory !== undefined && own.memory === undefined && own.limits?.memory === undefined) {
      fault`${path}.requests.memory: leaves memory without a limit, so one container could use all of its node's; set memory, which sets both, or limits.memory too`;
    }
  }
  const elsewhere = [
    ...(ephemeralStorage === undefined ? [] : [["ephemeral-storage", "resources.ephemeralStorage"] as const]),
    ...(gpu === undefined ? [] : [[gpu.resource, "resources.gpu"] as const]),
  ];
  for (const [name, argument] of elsewhere) {
    for (const side of ["requests", "limits"] as const) {
      if (resources?.[side]?.[name] === undefined) continue;
      fault`resources.${side}.${name}: is already set by ${argument}; remove one of the two`;
    }
  }
  if (resources !== undefined) {
    const limit = memoryLimit(resources);
    const limitBytes = amount(limit);
    const sharedBytes = amount(sharedMemory);
    const at = ["resources", ...(resources.limits?.memory === undefined ? ["memory"] : ["limits", "memory"])];
    if (limitBytes !== undefined && limitBytes < leastMemoryBytes) {
      fault`${at}: ${known(limit)} is less than 64Mi, too little for a session; set more`;
    }
    if (limitBytes !== undefined && sharedBytes !== undefined && sharedBytes >= limitBytes) {
      fault`resources.sharedMemory: ${known(sharedMemory)} must be below the memory limit ${known(limit)}, which includes it`;
    }
  }
  if (stopWarningSeconds + stopSeconds > terminationGracePeriodSeconds) {
    fault`stopWarningSeconds: ${stopWarningSeconds} leaves less than 5 s of the ${terminationGracePeriodSeconds} s in pod.terminationGracePeriodSeconds; shorten it, or raise that`;
  }
}

function checkPorts({ ports = [], access, ssh, ingress = [] }: Args, fault: RaiseFault): void {
  // One of each is the port of SSH.
  if (ports.length >= most.servicePorts) {
    fault`ports: has ${ports.length} ports; a team's Service takes ${most.servicePorts - 1} besides sshd's, so set at most ${most.servicePorts - 1}`;
  }
  const through = ports.filter(({ primary, throughGateway }) => throughGateway || primary);
  if (access?.gateway !== undefined && through.length >= most.rules) {
    fault`ports: has ${through.length} ports that are reached through the gateway; a route takes ${most.rules - 1} besides sshd's, so leave throughGateway to at most ${most.rules - 1}`;
  }
  const firstPrimary = ports.findIndex(({ primary }) => primary);
  for (const [index, { name, port, primary, throughGateway }] of ports.entries()) {
    const before = ports.slice(0, index);
    if (before.some((other) => same(other.name, name))) {
      fault`ports[${index}].name: ${name} is used twice; give each port its own name`;
    }
    if (same(name, "ssh"))
      fault`ports[${index}].name: ssh is the name of sshd's own port; choose another name`;
    if (before.some((other) => same(other.port, port)) || same(port, ssh?.port ?? 22)) {
      fault`ports[${index}].port: ${port} is in use already; list each port once`;
    }
    if (primary && index > firstPrimary) {
      fault`ports[${index}].primary: is set on ${ports[firstPrimary]?.name} already; set it on one port only`;
    }
    if (throughGateway && access !== undefined && access.gateway === undefined) {
      fault`ports[${index}].throughGateway: needs a gateway; set access.gateway`;
    }
  }
  for (const [index, peer] of ingress.entries()) {
    if (peer.namespace === undefined && Object.keys(peer.podLabels ?? {}).length === 0) {
      fault`ingress[${index}]: matches no pod; set a namespace, podLabels or both`;
    }
  }
}
