/** A machine outside the lab: a network namespace of its own, on the network of the first node. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Outcome, run } from "../../../scripts/lib/lab/lab.ts";

/**
 * Runs a command there, after anyone who is there already: the tests of a lab run side by side, and the names and the network are
 * the same for all.
 * It asks that network who has an address: of a LoadBalancer's, MetalLB's speaker says that the node has it.
 * @param source the address it calls from, in 192.0.2.0/24
 * @param timeoutSeconds after which it is killed, the wait for others included
 */
export async function fromOutside(
  source: string,
  command: readonly string[],
  timeoutSeconds = 120,
): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-outside-"));
  const script = `
    set -eu
    ready=$1 source=$2; shift 2
    ip link add far0 type veth peer name far1
    trap 'ip link del far0 2>/dev/null || true' EXIT
    ip link set far0 master node0 up
    ip route replace 192.0.2.0/24 dev node0
    unshare --net sh -eu -c '
      ready=$1 source=$2; shift 2
      echo $$ > "$ready"
      while ! ip link show far1 >/dev/null 2>&1; do sleep 0.05; done
      ip link set lo up
      ip address add "$source/24" dev far1
      ip link set far1 up
      ip route add default dev far1
      exec "$@"
    ' sh "$ready" "$source" "$@" &
    while ! [ -s "$ready" ]; do sleep 0.05; done
    ip link set far1 netns "$(cat "$ready")"
    wait $!
  `;
  try {
    const words = ["sh", "-c", script, "sh", join(folder, "ready"), source, ...command];
    return await run("flock", ["--close", join(tmpdir(), "drawbridge-outside.lock"), ...words], {
      timeoutSeconds,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs a command for which these names have this address, whatever DNS says. */
export async function withHosts(
  address: string,
  names: readonly string[],
  command: readonly string[],
  env: Record<string, string>,
): Promise<Outcome> {
  const hosts = `127.0.0.1 localhost\n${address} ${names.join(" ")}\n`;
  // Without DNS, which the C library would ask for the address of the other family.
  const script = `mount --bind "$1/hosts" /etc/hosts; mount --bind "$1/nsswitch.conf" /etc/nsswitch.conf; shift; exec "$@"`;
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-hosts-"));
  await writeFile(join(folder, "hosts"), hosts);
  await writeFile(join(folder, "nsswitch.conf"), "passwd: files\nhosts: files\n");
  try {
    const words = ["--mount", "sh", "-euc", script, "sh", folder, ...command];
    return await run("unshare", words, { env });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
