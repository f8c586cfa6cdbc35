/** The loopback port of each container. It stays, since clients keep it in their own settings beside the host key. */
import { createHash } from "node:crypto";
import { userInfo } from "node:os";
import type { SshTarget } from "@drawbridge-iac/drawbridge/src/host/client-texts/target";

/** Below the range from which systems take ports for outgoing connections (Linux 32768 on, others 49152 on). */
const firstPort = 20_000;
const count = 12_000;

/** By the name and port under which the host key is known. */
export type LoopbackPorts = Readonly<Record<string, number>>;

export const hostAndPort = ({ hostName, port }: Pick<SshTarget, "hostName" | "port">) =>
  `${hostName}:${port}`;

/**
 * @param before the ports that containers have already; those of containers that are gone become free
 * @param account tells people apart who share a computer, and so its loopback
 */
export function loopbackPorts(
  targets: readonly SshTarget[],
  before: LoopbackPorts,
  account = userInfo().username,
): LoopbackPorts {
  const ports: Record<string, number> = {};
  const keys = targets.map(hostAndPort);
  for (const key of keys) if (before[key] !== undefined) ports[key] = before[key];
  const taken = new Set(Object.values(ports));
  for (const key of keys) ports[key] ??= freePort(`${account} ${key}`, taken);
  return ports;
}

/** From the name, so that a container mostly gets its port again after it was forgotten, and on another laptop too. */
function freePort(seed: string, taken: Set<number>): number {
  const start = createHash("sha256").update(seed).digest().readUInt32BE();
  for (let step = 0; step < count; step++) {
    const port = firstPort + ((start + step) % count);
    if (taken.has(port)) continue;
    taken.add(port);
    return port;
  }
  throw new Error(`more than ${count} containers`);
}
