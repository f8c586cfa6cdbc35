/** Checks across a container's arguments. Single fields may be at fault here, so every one may be missing. */

import { known, nameOf } from "../common/placed.ts";
import { checkPodMetadata } from "../common/pod-metadata.ts";
import { amount, checkResources } from "../common/resources.ts";
import type { Fields, RaiseFault } from "../common/schema.ts";
import { most } from "../common/shares.ts";
import { clientCertificatePattern, longestPattern } from "../gateway/route-match.ts";
import { duplicateKeys } from "../ssh/authorized-keys.ts";
import { checkStorages } from "../storage/mounts.ts";
import { checkAdditions } from "./additions.ts";
import type { DevContainerParsed } from "./args.ts";
import { engineStorage } from "./engine.ts";
import { checkFrpAccess } from "./frpc-args.ts";
import { checkIdle } from "./idle-checks.ts";
import { memoryLimit } from "./machine.ts";
import { checkPatches } from "./patches.ts";
import { checkRoot, homeOf } from "./root.ts";

type Args = Partial<DevContainerParsed>;

export function checkContainer(args: Args, fault: RaiseFault, fields: Fields): void {
  checkSsh(args, fault);
  checkRoot(args, fault, fields);
  checkWaysIn(args, fault);
  checkKeys(args, fault);
  checkPaths(args, fault);
  checkStorages(args, fault);
  checkVolumes(args, fault);
  checkMachine(args, fault);
  checkPorts(args, fault);
  checkIdentities(args, fault);
  checkFrpAccess(args, fault);
  checkIdle(args, fault);
  checkAdditions(args, fault, fields);
  checkPodMetadata(args, fault);
  checkPatches(args, fault);
}

function checkSsh(
  { ssh, command, args, runImageCommand, access, startupScript }: Args,
  fault: RaiseFault,
): void {
  // It has a default, so it is only missing where it is at fault; then nothing is known of what follows from it.
  if (ssh?.mode === undefined) return;
  const { mode } = ssh;
  const needsImage = mode === "injected" || mode === "sidecar";
  if (needsImage && ssh?.image === undefined) {
    const which = mode === "injected" ? "the sshd-bundle image" : "the image whose shell one lands in";
    fault(["ssh", "image"], `is missing; mode "${mode}" needs ${which}`);
  }
  if (!needsImage && ssh?.image !== undefined) {
    fault(["ssh", "image"], `has no use in mode "${mode}"; remove it, or choose mode injected or sidecar`);
  }
  if (mode === "none" && access?.gateway !== undefined) {
    fault(
      ["access", "gateway"],
      'has no use without sshd; remove it, or choose another ssh.mode than "none"',
    );
  }
  if (mode === "none" && startupScript !== undefined) {
    fault(["startupScript"], 'is started with sshd; choose another ssh.mode than "none"');
  }
  if (runImageCommand && mode !== "injected") {
    fault(["runImageCommand"], `is for mode "injected"; mode "${mode}" decides this by itself`);
  }
  if (runImageCommand && ((command ?? []).length > 0 || (args ?? []).length > 0)) {
    fault(["runImageCommand"], "excludes command and args; remove them, or set it to false");
  }
  if (mode === "injected" && (args ?? []).length > 0 && (command ?? []).length === 0) {
    fault(["args"], "needs a command: the image's own entry point is not started in mode injected");
  }
  if (mode === "image" && (command ?? []).length > 0) {
    fault(["command"], "would replace the image's start of sshd; give args, which run beside it");
  }
}

export const noWayIn = "names no way in, so nobody could log in; give gateway, frp or sshpod";

function checkWaysIn({ ssh, access }: Args, fault: RaiseFault): void {
  // Both have defaults, so either is only missing where it is at fault.
  if (ssh?.mode === undefined || ssh.mode === "none" || access === undefined) return;
  const { gateway, frp, sshpod } = access;
  if (gateway === undefined && frp?.enabled !== true && sshpod === undefined) fault(["access"], noWayIn);
}

function checkKeys({ ssh, authorizedKeys, userCa, hostKey, access }: Args, fault: RaiseFault): void {
  for (const [first, second] of duplicateKeys(authorizedKeys ?? [])) {
    fault(["authorizedKeys", second], `is the same key as authorizedKeys[${first}]; give each key once`);
  }
  const none = ssh?.mode === "none";
  const throughFrp = access?.frp?.enabled === false ? [] : (access?.frp?.authorizedKeys ?? []);
  const keys = [...(authorizedKeys ?? []), ...throughFrp];
  if (!none && keys.length === 0 && userCa === undefined) {
    fault(["authorizedKeys"], "holds no key, so nobody could log in; give at least one public key line");
  }
  if (!none && hostKey === undefined) {
    fault(
      ["hostKey"],
      "is missing; give its seed (derived per container) or privateKey (your own ed25519 key)",
    );
  }
  const exactlyOne =
    "needs exactly one of seed (derived per container) and privateKey (your own ed25519 key)";
  if (hostKey !== undefined && (hostKey.seed === undefined) === (hostKey.privateKey === undefined)) {
    fault(["hostKey"], exactlyOne);
  }
  const next = hostKey?.next;
  if (next !== undefined && (next.seed === undefined) === (next.privateKey === undefined)) {
    fault(["hostKey", "next"], exactlyOne);
  }
}

/** True if `inner` is `outer` or below it. */
const within = (inner: string, outer: string): boolean => inner === outer || inner.startsWith(`${outer}/`);

// What the pod's own machinery is mounted at; anything over it or in it would break logging in.
const reserved = ["/etc/drawbridge", "/run/drawbridge", "/drawbridge", "/dev", "/proc", "/sys"];

function checkPaths(args: Args, fault: RaiseFault): void {
  const home = homeOf(args.user?.name ?? "jovyan");
  const lists = ["mounts", "storage", "secretFiles", "volumeMounts"] as const;
  const places: { path: PropertyKey[]; at: string }[] = [
    ...lists.flatMap((list) =>
      (args[list] ?? []).map(({ mountPath }, index) => ({ path: [list, index, "mountPath"], at: mountPath })),
    ),
    ...(args.persist ?? []).map((at, index) => ({ path: ["persist", index], at })),
  ];
  const taken = args.containersInside === true ? [...reserved, engineStorage] : reserved;
  for (const [index, { path, at }] of places.entries()) {
    if (within(home, at)) fault(path, `${at} would hide the home ${home}; choose another path`);
    if (path[0] === "persist" && at !== home && within(at, home)) {
      fault(path, `${at} is inside the home ${home}, which lasts anyway; remove it`);
    }
    const clash = taken.find((own) => within(at, own) || within(own, at));
    if (clash !== undefined)
      fault(path, `${at} meets ${clash}, which the container needs; choose another path`);
    const other = places.slice(0, index).find((before) => within(at, before.at) || within(before.at, at));
    if (other !== undefined) fault(path, `${at} meets ${other.at}, which is given too; choose apart paths`);
  }
}

function checkVolumes(args: Args, fault: RaiseFault): void {
  for (const field of ["home", "persistVolume"] as const) {
    const volume = args[field];
    if (volume?.claimName === undefined) continue;
    if (volume.storageClassName !== undefined) {
      fault(
        [field, "storageClassName"],
        `has no effect on the existing claim${nameOf(volume.claimName)}; remove one of the two`,
      );
    }
  }
  const claims = (args.mounts ?? []).map(({ claimName }) => known(claimName));
  for (const [index, claim] of claims.entries()) {
    if (claim !== undefined && claims.indexOf(claim) < index)
      fault(["mounts", index, "claimName"], `${claim} is mounted twice`);
  }
}

function checkMachine(args: Args, fault: RaiseFault): void {
  const { resources, gpu, sharedMemory, ephemeralStorage, ssh, stop } = args;
  for (const [path, own] of [
    [["resources"], resources],
    [["ssh", "resources"], ssh?.resources],
  ] as const) {
    checkResources(path, own, fault);
    if (own?.requests?.memory !== undefined && own.memory === undefined && own.limits?.memory === undefined) {
      fault(
        [...path, "requests", "memory"],
        "leaves memory without a limit, so that one container could take its node's; give memory, which sets both, or limits.memory too",
      );
    }
  }
  const elsewhere = [
    ...(ephemeralStorage === undefined ? [] : [["ephemeral-storage", "ephemeralStorage"] as const]),
    ...(gpu === undefined ? [] : [[gpu.resource, "gpu"] as const]),
  ];
  for (const [name, argument] of elsewhere) {
    for (const side of ["requests", "limits"] as const) {
      if (resources?.[side]?.[name] === undefined) continue;
      fault(["resources", side, name], `is set by ${argument} already; remove one of the two`);
    }
  }
  if (resources !== undefined) {
    const limit = memoryLimit(resources);
    const most = amount(limit);
    const shared = amount(sharedMemory);
    const at = ["resources", ...(resources.limits?.memory === undefined ? ["memory"] : ["limits", "memory"])];
    if (most !== undefined && most < 2 ** 26) {
      fault(at, `${known(limit)} is less than 64Mi, in which no session starts`);
    }
    if (most !== undefined && shared !== undefined && shared >= most) {
      fault(
        ["sharedMemory"],
        `${known(sharedMemory)} is not below the memory limit ${known(limit)}, in which it is counted`,
      );
    }
  }
  if (stop !== undefined && stop.warningSeconds + 5 > stop.graceSeconds) {
    fault(
      ["stop", "warningSeconds"],
      `${stop.warningSeconds} leaves less than 5 s of the ${stop.graceSeconds} s in stop.graceSeconds`,
    );
  }
}

function checkPorts({ ports, access, ssh, ingress }: Args, fault: RaiseFault): void {
  const list = ports ?? [];
  if (list.length >= most.servicePorts) {
    fault(
      ["ports"],
      `has ${list.length} ports; a Service of a team has at most ${most.servicePorts}, sshd's among them: give at most ${most.servicePorts - 1}`,
    );
  }
  const through = list.filter(({ name, throughGateway }) => throughGateway || name === access?.primaryPort);
  if (access?.gateway !== undefined && through.length >= most.rules) {
    fault(
      ["ports"],
      `has ${through.length} ports that are reached through the gateway; a route has at most ${most.rules}, sshd's among them: leave throughGateway to at most ${most.rules - 1}`,
    );
  }
  for (const [index, { name, port, throughGateway }] of list.entries()) {
    if (list.findIndex((other) => other.name === name) < index) {
      fault(["ports", index, "name"], `${name} is given twice; give each port its own name`);
    }
    if (name === "ssh") fault(["ports", index, "name"], "ssh is sshd's own; choose another name");
    if (list.findIndex((other) => other.port === port) < index || port === (ssh?.port ?? 22)) {
      fault(["ports", index, "port"], `${port} is taken already; each port can be used once`);
    }
    if (throughGateway && access !== undefined && access.gateway === undefined) {
      fault(["ports", index, "throughGateway"], "needs a gateway; give access.gateway");
    }
  }
  const primary = access?.primaryPort;
  if (primary !== undefined && !list.some(({ name }) => name === primary)) {
    fault(["access", "primaryPort"], `${primary} is not the name of one of ports`);
  }
  const sshpod = access?.sshpod;
  if (sshpod !== undefined && [...(sshpod.users ?? []), ...(sshpod.groups ?? [])].length === 0) {
    fault(["access", "sshpod"], "names nobody; give users, groups or both");
  }
  for (const [index, peer] of (ingress ?? []).entries()) {
    if (peer.namespace === undefined && Object.keys(peer.podLabels ?? {}).length === 0) {
      fault(["ingress", index], "names nobody; give a namespace, podLabels or both");
    }
  }
}

function checkIdentities({ access }: Args, fault: RaiseFault): void {
  const { allowIdentities = [], gateway } = access ?? {};
  if (allowIdentities.length > 0 && gateway?.mutualTls !== true) {
    fault(
      ["access", "allowIdentities"],
      "needs a gateway that asks for client certificates (its listeners.tls.clientCa; mutualTls: true in a plain reference); without one nobody proves an identity",
    );
  }
  const { length } = clientCertificatePattern(allowIdentities);
  if (length > longestPattern) {
    fault(
      ["access", "allowIdentities"],
      `makes a pattern of ${length} characters for the route, and Istio takes at most ${longestPattern}; give fewer or shorter identities`,
    );
  }
}
