/** `drawbridge host-key TARGET`: the public host keys of an sshd that runs already, for an SshRoute's `hostPublicKeys`. */

import { execFile } from "node:child_process";
import net, { type AddressInfo } from "node:net";
import { type Duplex, pipeline } from "node:stream";
import { CliError, ExitCode, isExpected } from "../faults.ts";
import { fewAtOnce } from "../list/few-at-once.ts";
import { readBanner } from "../proxy/banner.ts";
import { readPort } from "../proxy/via.ts";
import { isForbidden, type Kube, KubeError, loadKube } from "../sshpod/kube.ts";
import { type Asked, type Listener, listenersOf } from "../sshpod/listeners.ts";
import { forwardPort } from "../sshpod/port-forward.ts";
import { visible, visibleJson } from "../terminal.ts";

export interface HostKeyFlags {
  readonly namespace?: string;
  readonly context?: string;
  readonly port?: string;
  readonly json?: boolean;
}

/** What is printed, and what has to be said besides. */
interface HostKeyAnswer {
  readonly text: string;
  readonly warning: string | undefined;
}

/** How many pods are asked at a time. */
const few = 8;

export async function hostKey(
  target: string,
  flags: HostKeyFlags,
  load: (context: string | undefined) => Promise<Kube> = loadKube,
  forward: Forward = byApi,
): Promise<HostKeyAnswer> {
  const asked = readAsked(target, flags);
  const kube = await load(flags.context);
  const listeners = await listenersOf(kube, { ...asked, namespace: flags.namespace ?? kube.namespace });
  const pods = await fewAtOnce(few, listeners, async (listener) => ({
    pod: listener.pod,
    hostPublicKeys: await hostKeysOf(kube, listener, forward),
  }));
  const hostPublicKeys = [...new Set(pods.flatMap((one) => one.hostPublicKeys))];
  const text = flags.json
    ? `${visibleJson({ hostPublicKeys, pods })}\n`
    : hostPublicKeys.map((key) => `${key}\n`).join("");
  return { text, warning: difference(pods, target) };
}

type Shown = Pick<Listener, "pod"> & { readonly hostPublicKeys: readonly string[] };

function difference([first, ...others]: readonly Shown[], target: string): string | undefined {
  const other = others.filter((one) => one.hostPublicKeys.join() !== first?.hostPublicKeys.join());
  if (other.length === 0) return undefined;
  const names = other.map(({ pod }) => pod).join(", ");
  return `the pods behind ${target} have different keys (${names} other than ${first?.pod}): clients that know them all get in, until a new pod brings a new one; give all pods the same host key`;
}

/** Kinds in kubectl's own words; a bare name is a pod's, as in `kubectl port-forward`. */
function readAsked(target: string, { namespace, port = "22" }: HostKeyFlags): Omit<Asked, "namespace"> {
  const [, word = "pod", name] =
    /^(?:(pods?|po|services?|svc)\/)?([a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?)$/.exec(target) ?? [];
  if (name === undefined) {
    throw usage(
      `${JSON.stringify(target)} is not a target; write pod/NAME or service/NAME, with -n NAMESPACE`,
    );
  }
  if (namespace !== undefined && !/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(namespace)) {
    throw usage(`--namespace ${JSON.stringify(namespace)} is no namespace's name`);
  }
  return { kind: word.startsWith("po") ? "pod" : "service", name, port: readPort(port) };
}

const usage = (text: string) => new CliError(text, ExitCode.usage);

/** One connection to the port of a pod. */
export type Forward = (kube: Kube, listener: Listener) => Promise<Duplex>;
const byApi: Forward = (kube, { namespace, pod, port }) => forwardPort(kube, { namespace, pod }, port);

/** The kinds that sshd has, the one first that clients prefer. */
const kinds = ["ssh-ed25519", "ecdsa-sha2-", "ssh-rsa"];
const rank = (key: string) => kinds.findIndex((kind) => key.startsWith(kind));

/**
 * Those that a sshd shows in SSH's key exchange, before any login; ssh-keyscan asks for them. One key a line, as `hostPublicKeys` takes them.
 */
async function hostKeysOf(kube: Kube, listener: Listener, forward: Forward): Promise<string[]> {
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
