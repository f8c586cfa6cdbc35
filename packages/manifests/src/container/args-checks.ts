/** Checks across a container's arguments. Single fields may be at fault here, so every one may be missing. */
import { known, type Placed } from "../common/placed.ts";
import { quantityValue } from "../common/quantity.ts";
import { checkFrpAccess } from "../frp/frpc-args.ts";
import { duplicateKeys } from "../ssh/authorized-keys.ts";
import { checkStorages } from "../storage/mounts.ts";
import type { DevContainerParsed } from "./args.ts";

type Args = Partial<DevContainerParsed>;
type Fault = (path: PropertyKey[], message: string) => void;

export function checkContainer(args: Args, fault: Fault): void {
  checkSshd(args, fault);
  checkKeys(args, fault);
  checkPaths(args, fault);
  checkStorages(args, fault);
  checkVolumes(args, fault);
  checkMachine(args, fault);
  checkPorts(args, fault);
  checkIdentities(args, fault);
  checkFrpAccess(args, fault);
}

function checkSshd(
  { sshd, command, args, runImageCommand, gateway, startupScript }: Args,
  fault: Fault,
): void {
  // It has a default, so it is only missing where it is at fault; then nothing is known of what follows from it.
  if (sshd?.mode === undefined) return;
  const { mode } = sshd;
  const needsImage = mode === "injected" || mode === "sidecar";
  if (needsImage && sshd?.image === undefined) {
    const which = mode === "injected" ? "the sshd-bundle image" : "the image whose shell one lands in";
    fault(["sshd", "image"], `is missing; mode "${mode}" needs ${which}`);
  }
  if (!needsImage && sshd?.image !== undefined) {
    fault(["sshd", "image"], `has no use in mode "${mode}"; remove it, or choose mode injected or sidecar`);
  }
  if (mode === "none" && gateway !== undefined) {
    fault(["gateway"], 'has no use without sshd; remove it, or choose another sshd.mode than "none"');
  }
  if (mode === "none" && startupScript !== undefined) {
    fault(["startupScript"], 'is started with sshd; choose another sshd.mode than "none"');
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

function checkKeys({ sshd, authorizedKeys, userCa, hostKey, access }: Args, fault: Fault): void {
  for (const [first, second] of duplicateKeys(authorizedKeys ?? [])) {
    fault(["authorizedKeys", second], `is the same key as authorizedKeys[${first}]; give each key once`);
  }
  const none = sshd?.mode === "none";
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

function checkPaths(args: Args, fault: Fault): void {
  const home = `/home/${args.user?.name ?? "jovyan"}`;
  const places: { path: PropertyKey[]; at: string }[] = [
    ...(args.mounts ?? []).map(({ mountPath }, index) => ({
      path: ["mounts", index, "mountPath"],
      at: mountPath,
    })),
    ...(args.storage ?? []).map(({ mountPath }, index) => ({
      path: ["storage", index, "mountPath"],
      at: mountPath,
    })),
    ...(args.secretFiles ?? []).map(({ mountPath }, index) => ({
      path: ["secretFiles", index, "mountPath"],
      at: mountPath,
    })),
    ...(args.persist ?? []).map((at, index) => ({ path: ["persist", index], at })),
  ];
  for (const [index, { path, at }] of places.entries()) {
    if (within(home, at)) fault(path, `${at} would hide the home ${home}; choose another path`);
    if (path[0] === "persist" && at !== home && within(at, home)) {
      fault(path, `${at} is inside the home ${home}, which lasts anyway; remove it`);
    }
    const clash = reserved.find((own) => within(at, own) || within(own, at));
    if (clash !== undefined)
      fault(path, `${at} meets ${clash}, which the container needs; choose another path`);
    const other = places.slice(0, index).find((before) => within(at, before.at) || within(before.at, at));
    if (other !== undefined) fault(path, `${at} meets ${other.at}, which is given too; choose apart paths`);
  }
}

function checkVolumes(args: Args, fault: Fault): void {
  for (const field of ["home", "persistVolume"] as const) {
    const volume = args[field];
    if (volume?.claim === undefined) continue;
    if (volume.storageClass !== undefined) {
      fault(
        [field, "storageClass"],
        `has no effect on the existing claim${nameOf(volume.claim)}; remove one of the two`,
      );
    }
  }
  const claims = (args.mounts ?? []).map(({ claim }) => known(claim));
  for (const [index, claim] of claims.entries()) {
    if (claim !== undefined && claims.indexOf(claim) < index)
      fault(["mounts", index, "claim"], `${claim} is mounted twice`);
  }
}

/** The name with a space before it, where it is known. */
function nameOf(placed: Placed<string>): string {
  const name = known(placed);
  return name === undefined ? "" : ` ${name}`;
}

function checkMachine({ resources, stop }: Args, fault: Fault): void {
  if (resources === undefined) return;
  const value = (quantity: Placed<string> | undefined) => {
    const text = known(quantity);
    return text === undefined ? undefined : quantityValue(text);
  };
  const memory = value(resources.memory);
  const shared = value(resources.sharedMemory);
  if (memory !== undefined && memory < 2 ** 26) {
    fault(["resources", "memory"], `${resources.memory} is less than 64Mi, in which no session starts`);
  }
  if (memory !== undefined && shared !== undefined && shared >= memory) {
    fault(
      ["resources", "sharedMemory"],
      `${resources.sharedMemory} is not below the memory limit ${resources.memory}, in which it is counted`,
    );
  }
  const cpu = value(resources.cpu);
  const limit = value(resources.cpuLimit);
  if (cpu !== undefined && limit !== undefined && limit < cpu) {
    fault(["resources", "cpuLimit"], `${resources.cpuLimit} is below the ${resources.cpu} set aside by cpu`);
  }
  if (stop !== undefined && stop.warningSeconds + 5 > stop.graceSeconds) {
    fault(
      ["stop", "warningSeconds"],
      `${stop.warningSeconds} leaves less than 5 s of the ${stop.graceSeconds} s in stop.graceSeconds`,
    );
  }
}

function checkPorts({ ports, access, sshd, gateway, ingress }: Args, fault: Fault): void {
  const list = ports ?? [];
  for (const [index, { name, port, throughGateway }] of list.entries()) {
    if (list.findIndex((other) => other.name === name) < index) {
      fault(["ports", index, "name"], `${name} is given twice; give each port its own name`);
    }
    if (name === "ssh") fault(["ports", index, "name"], "ssh is sshd's own; choose another name");
    if (list.findIndex((other) => other.port === port) < index || port === (sshd?.port ?? 22)) {
      fault(["ports", index, "port"], `${port} is taken already; each port can be used once`);
    }
    if (throughGateway && gateway === undefined) {
      fault(["ports", index, "throughGateway"], "needs a gateway; give the argument gateway");
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

function checkIdentities({ allowIdentities, gateway }: Args, fault: Fault): void {
  if ((allowIdentities ?? []).length > 0 && gateway?.mutualTls !== true) {
    fault(
      ["allowIdentities"],
      "needs a gateway that asks for client certificates (its listeners.tls.clientCa; mutualTls: true in a plain reference); without one nobody proves an identity",
    );
  }
}
