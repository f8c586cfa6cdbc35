/** Where the sshd behind a Service listens: a port of a pod that is ready. */
import { CliError } from "../faults.ts";
import type { Kube } from "../sshpod/kube.ts";
import { isReady, type Pod, podsOf, read, selectorText, statesOf } from "../sshpod/pod.ts";

export interface Listener {
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
}

/** A port of a Service. */
interface Asked {
  readonly service: string;
  readonly namespace: string;
  readonly port: number;
}

interface ServicePort {
  readonly name?: string;
  readonly port: number;
  readonly targetPort?: number | string;
}

interface ServiceSpec {
  readonly type?: string;
  readonly externalName?: string;
  readonly clusterIP?: string;
  readonly selector?: Record<string, string>;
  readonly publishNotReadyAddresses?: boolean;
  readonly ports?: readonly ServicePort[];
}

/** @param name left out for all of the namespace */
export const servicePath = (namespace: string, name?: string) =>
  `/api/v1/namespaces/${namespace}/services${name === undefined ? "" : `/${name}`}`;

const cures = { names: "mend serviceName of the SshRoute", right: "ask for it" };

/** What the Service is made of; throws if there is none of that name. */
export async function serviceSpec(kube: Kube, { service, namespace }: Asked): Promise<ServiceSpec> {
  const path = servicePath(namespace, service);
  return (await read<{ spec: ServiceSpec }>(kube, `Service ${service}`, namespace, path, cures)).spec;
}

/** The first pod by name; throws if there is none, with what there is instead. */
export async function listenerBehind(kube: Kube, spec: ServiceSpec, asked: Asked): Promise<Listener> {
  const found = portOf(spec, asked);
  const pod = await podBehind(kube, spec, asked);
  const { service, namespace } = asked;
  return { namespace, pod: pod.metadata.name, port: podPort(pod, spec, found, service) };
}

async function podBehind(kube: Kube, spec: ServiceSpec, { service, namespace }: Asked): Promise<Pod> {
  if (spec.type === "ExternalName") {
    throw new CliError(
      `Service ${service} is an ExternalName for ${spec.externalName}: no pod is behind it, and no SshRoute leads to one; make a Service with a selector or with endpoints`,
    );
  }
  const labels = selectorText({ matchLabels: spec.selector ?? {} });
  const items = await podsOf(kube, `Service ${service}`, namespace, labels, cures);
  const takes = (pod: Pod) =>
    pod.metadata.deletionTimestamp === undefined &&
    (spec.publishNotReadyAddresses ? pod.status?.phase === "Running" : isReady(pod));
  const [first] = items.filter(takes).toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  if (first !== undefined) return first;
  throw new CliError(
    `no pod behind Service ${service} is ready (${statesOf(items) || `no pod has the labels ${labels}`}); see: kubectl -n ${namespace} describe service ${service}`,
  );
}

function portOf({ ports = [] }: ServiceSpec, { service, port }: Asked): ServicePort {
  const found = ports.find((one) => one.port === port);
  if (found !== undefined) return found;
  const has = ports.map((one) => `${one.port}${one.name === undefined ? "" : ` (${one.name})`}`).join(", ");
  throw new CliError(
    `Service ${service} has no port ${port}; it has ${has || "none"}: take the one that leads to sshd`,
  );
}

/** A headless Service names pods and translates no ports. */
function podPort(pod: Pod, { clusterIP }: ServiceSpec, found: ServicePort, service: string): number {
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
