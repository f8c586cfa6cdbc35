/** Where a sshd listens: the port of one pod, or of each pod that is ready behind a Service. */
import { CliError } from "../faults.ts";
import type { Kube } from "./kube.ts";
import { checkRuns, isReady, type Pod, podPath, podsOf, read, selectorText, statesOf } from "./pod.ts";

export interface Listener {
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
}

/** What is asked for, as kubectl has it: `pod/box-0`, `service/legacy-box`. */
export interface Asked {
  readonly kind: "pod" | "service";
  readonly name: string;
  readonly namespace: string;
  /** The Service's port, or the pod's. */
  readonly port: number;
}

interface ServicePort {
  readonly name?: string;
  readonly port: number;
  readonly targetPort?: number | string;
}

export interface Service {
  readonly spec: {
    readonly type?: string;
    readonly externalName?: string;
    readonly clusterIP?: string;
    readonly selector?: Record<string, string>;
    readonly publishNotReadyAddresses?: boolean;
    readonly ports?: readonly ServicePort[];
  };
}

const byOptions = {
  names: "give -n NAMESPACE or --context NAME",
  right: "ask for get on services, and get and list on pods, in that namespace",
};

/** At least one; throws if there is none, with what there is instead. */
export async function listenersOf(kube: Kube, asked: Asked, cures = byOptions): Promise<Listener[]> {
  const { kind, name, namespace, port } = asked;
  if (kind === "pod") {
    const pod = await read<Pod>(kube, `pod ${name}`, namespace, podPath(namespace, name), cures);
    checkRuns(pod, namespace);
    return [{ namespace, pod: name, port }];
  }
  const path = servicePath(namespace, name);
  const { spec } = await read<Service>(kube, `Service ${name}`, namespace, path, cures);
  const found = portOf(spec, asked);
  const pods = await podsBehind(kube, spec, asked, cures);
  return pods.map((pod) => ({ namespace, pod: pod.metadata.name, port: podPort(pod, spec, found, name) }));
}

/** @param name left out for all of the namespace */
export const servicePath = (namespace: string, name?: string) =>
  `/api/v1/namespaces/${namespace}/services${name === undefined ? "" : `/${name}`}`;

/** What to do where there is no pod that could be asked. */
const elsewhere = "read /etc/ssh/ssh_host_ed25519_key.pub on the machine itself";

async function podsBehind(
  kube: Kube,
  spec: Service["spec"],
  { name, namespace }: Asked,
  cures: typeof byOptions,
): Promise<Pod[]> {
  if (spec.type === "ExternalName") {
    throw new CliError(
      `Service ${name} is an ExternalName for ${spec.externalName}: no pod is behind it, and no SshRoute leads to one; make a Service with a selector or with endpoints, and ${elsewhere}`,
    );
  }
  const matchLabels = spec.selector ?? {};
  if (Object.keys(matchLabels).length === 0) {
    throw new CliError(`Service ${name} has no selector, so there is no pod to ask; ${elsewhere}`);
  }
  const labels = selectorText({ matchLabels });
  const items = await podsOf(kube, `Service ${name}`, namespace, labels, cures);
  const takes = (pod: Pod) =>
    pod.metadata.deletionTimestamp === undefined &&
    (spec.publishNotReadyAddresses ? pod.status?.phase === "Running" : isReady(pod));
  const pods = items.filter(takes);
  if (pods.length > 0) return pods.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  throw new CliError(
    `no pod behind Service ${name} is ready (${statesOf(items) || `no pod has the labels ${labels}`}); see: kubectl -n ${namespace} describe service ${name}`,
  );
}

function portOf({ ports = [] }: Service["spec"], { name, port }: Asked): ServicePort {
  const found = ports.find((one) => one.port === port);
  if (found !== undefined) return found;
  const has = ports.map((one) => `${one.port}${one.name === undefined ? "" : ` (${one.name})`}`).join(", ");
  throw new CliError(
    `Service ${name} has no port ${port}; it has ${has || "none"}: take the one that leads to sshd`,
  );
}

/** A headless Service names pods and translates no ports. */
function podPort(pod: Pod, { clusterIP }: Service["spec"], found: ServicePort, service: string): number {
  const { port, targetPort = port } = found;
  if (clusterIP === "None") return port;
  if (typeof targetPort === "number") return targetPort;
  const { containers, initContainers = [] } = pod.spec;
  const named = [...containers, ...initContainers]
    .flatMap(({ ports = [] }) => ports)
    .find((one) => one.name === targetPort);
  if (named !== undefined) return named.containerPort;
  throw new CliError(
    `port ${port} of Service ${service} leads to the port ${targetPort}, which pod ${pod.metadata.name} does not have; correct one of the two`,
  );
}
