/** `drawbridge host-key TARGET`: the public host keys of an sshd that runs already, for an SshRoute's `hostPublicKeys`. */
import { CliError, ExitCode } from "../cli-error.ts";
import { type Asked, type Listener, listenersOf } from "../host-key/listeners.ts";
import { byApi, type Forward, hostKeysOf } from "../host-key/scan.ts";
import { fewAtOnce } from "../list/few-at-once.ts";
import { readPort } from "../port-option.ts";
import { type Kube, loadKube } from "../sshpod/kube.ts";
import { visibleJson } from "../terminal.ts";

export interface HostKeyFlags {
  readonly namespace?: string;
  readonly context?: string;
  readonly port?: string;
  readonly json?: boolean;
}

/** What is printed, and what has to be said besides. */
export interface HostKeyAnswer {
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
