/** Where the sshd behind a Service listens: a port of a pod that is ready. */
import { CliError } from "../faults.ts";
import type { Kube } from "../sshpod/kube.ts";
import { isReady, type Pod, podsOf, read, selectorText, statesOf } from "../sshpod/pod.ts";

export interface Listener {
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
}

/** Where a route leads. */
interface ServiceAddress {
  readonly service: string;
  readonly namespace: string;
  readonly port: number;
  /** Whether an InjectedSshd made the Service. */
  readonly isInjected: boolean;
}

interface ServicePort {
  readonly name?: string;
  readonly port: number;
  readonly targetPort?: number | string;
}

interface ServiceSpec {
  readonly type?: string;
  readonly externalName?: string;
  readonly selector?: Record<string, string>;
  readonly publishNotReadyAddresses?: boolean;
  readonly ports?: readonly ServicePort[];
}

/** @param name left out for all of the namespace */
export const servicePath = (namespace: string, name?: string) =>
  `/api/v1/namespaces/${namespace}/services${name === undefined ? "" : `/${name}`}`;

const cures = ({ isInjected }: ServiceAddress) => ({
  names: isInjected ? "make it again: pulumi up --refresh" : "mend serviceName of the SshRoute",
  right: "ask for the right to read it",
});

/** What the Service is made of; throws if there is none of that name. */
export async function serviceSpec(kube: Kube, address: ServiceAddress): Promise<ServiceSpec> {
  const { service, namespace } = address;
  const path = servicePath(namespace, service);
  const what = `Service ${service}`;
  return (await read<{ spec: ServiceSpec }>(kube, what, namespace, path, cures(address))).spec;
}

/** The ready pod that is first by name, and its port; throws if none is ready, with the states of the others. */
export async function listenerBehind(
  kube: Kube,
  spec: ServiceSpec,
  address: ServiceAddress,
): Promise<Listener> {
  const servicePort = portOf(spec, address);
  const pod = await podBehind(kube, spec, address);
  const { service, namespace } = address;
  return { namespace, pod: pod.metadata.name, port: podPort(pod, servicePort, service) };
}

async function podBehind(kube: Kube, spec: ServiceSpec, address: ServiceAddress): Promise<Pod> {
  const { service, namespace } = address;
  if (spec.type === "ExternalName") {
    throw new CliError(
      `Service ${service} is an ExternalName for ${spec.externalName}: no pod is behind it, and no SshRoute leads to one; make a Service with a selector or with endpoints`,
    );
  }
  const labels = selectorText({ matchLabels: spec.selector ?? {} });
  const items = await podsOf(kube, `Service ${service}`, namespace, labels, cures(address));
  const takes = (pod: Pod) =>
    pod.metadata.deletionTimestamp === undefined &&
    (spec.publishNotReadyAddresses ? pod.status?.phase === "Running" : isReady(pod));
  const [first] = items.filter(takes).toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  if (first !== undefined) return first;
  throw new CliError(
    `no pod behind Service ${service} is ready (${statesOf(items) || `no pod has the labels ${labels}`}); see: kubectl -n ${namespace} describe service ${service}`,
  );
}

function portOf({ ports = [] }: ServiceSpec, { service, port }: ServiceAddress): ServicePort {
  const found = ports.find((one) => one.port === port);
  if (found !== undefined) return found;
  const has = ports.map((one) => `${one.port}${one.name === undefined ? "" : ` (${one.name})`}`).join(", ");
  throw new CliError(
    `Service ${service} has no port ${port}; it has ${has || "none"}: take the one that leads to sshd`,
  );
}

/** Of a headless Service too: a gateway goes by EndpointSlices, which hold the pods' ports. */
function podPort(pod: Pod, { port, targetPort = port }: ServicePort, service: string): number {
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
