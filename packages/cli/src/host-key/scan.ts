/** The public host keys that a sshd shows in SSH's key exchange, before any login. ssh-keyscan asks for them. */
import { execFile } from "node:child_process";
import net, { type AddressInfo } from "node:net";
import { type Duplex, pipeline } from "node:stream";
import { CliError } from "../cli-error.ts";
import { readBanner } from "../proxy/banner.ts";
import { isExpected } from "../proxy/way-error.ts";
import { isForbidden, type Kube, KubeError } from "../sshpod/kube.ts";
import { forwardPort } from "../sshpod/port-forward.ts";
import { visible } from "../terminal.ts";
import type { Listener } from "./listeners.ts";

/** One connection to the port of a pod. */
export type Forward = (kube: Kube, listener: Listener) => Promise<Duplex>;
export const byApi: Forward = (kube, { namespace, pod, port }) => forwardPort(kube, { namespace, pod }, port);

/** The kinds that sshd has, the one first that clients prefer. */
const kinds = ["ssh-ed25519", "ecdsa-sha2-", "ssh-rsa"];
const rank = (key: string) => kinds.findIndex((kind) => key.startsWith(kind));

/** One key a line, as `hostPublicKeys` takes them. */
export async function hostKeysOf(kube: Kube, listener: Listener, forward: Forward): Promise<string[]> {
  const { namespace, pod, port } = listener;
  const fault = (text: string) => new CliError(`pod ${namespace}/${pod}, port ${port}: ${text}`);
  try {
    await greet(await forward(kube, listener));
  } catch (error) {
    if (isForbidden(error)) {
      throw fault(
        `your account may not forward ports: ${error.message}; ask for get and create on pods/portforward`,
      );
    }
    if (error instanceof KubeError)
      throw fault(`the Kubernetes API answered ${error.status}: ${error.message}`);
    throw isExpected(error) ? fault(error.message) : error;
  }
  const server = net.createServer((socket) => {
    forward(kube, listener).then(
      (stream) => pipeline(socket, stream, socket, () => undefined),
      () => socket.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { stdout, stderr } = await keyscan((server.address() as AddressInfo).port);
    const keys = stdout.split(/\r?\n/).flatMap((line) => {
      const [, key] = /^[^#\s]\S* ((?:ssh|ecdsa)-[a-z0-9-]+ [A-Za-z0-9+/]+={0,2})$/.exec(line) ?? [];
      return key === undefined ? [] : [key];
    });
    if (keys.length > 0) return keys.toSorted((a, b) => rank(a) - rank(b));
    const said = stderr.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));
    throw fault(`ssh-keyscan got no key: ${visible(said.at(-1) ?? "it said nothing")}`);
  } finally {
    server.close();
  }
}

/** Checks that a sshd answers. Speaks first, because another program on the port may wait for that. */
async function greet(stream: Duplex): Promise<void> {
  const banner = readBanner(stream);
  stream.write("SSH-2.0-drawbridge\r\n");
  await banner;
  stream.destroy();
}

function keyscan(port: number): Promise<{ stdout: string; stderr: string }> {
  const args = ["-T", "10", "-t", "ed25519,ecdsa,rsa", "-p", String(port), "127.0.0.1"];
  return new Promise((resolve, reject) => {
    execFile("ssh-keyscan", args, { timeout: 60_000 }, (error, stdout, stderr) => {
      if (error !== null && (error as NodeJS.ErrnoException).code === "ENOENT") {
        reject(new CliError("ssh-keyscan is not installed here; install OpenSSH's client"));
      } else resolve({ stdout, stderr });
    });
  });
}
