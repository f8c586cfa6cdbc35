/** What the arguments of a gateway must satisfy together. */

import { checkPodMetadata } from "../istio/data-plane.ts";
import { isEmpty, known, same } from "../kit/input.ts";
import { across, type Fields, type RaiseFault } from "../kit/schema.ts";
import { checkAutoscaling } from "../kubernetes/autoscaling.ts";
import { missingLoadBalancer } from "../kubernetes/load-balancer.ts";
import { checkResources } from "../kubernetes/resources.ts";
import { type SshGatewayParsed, sshGatewayFields } from "./args.ts";

type Args = Partial<SshGatewayParsed>;

export const sshGatewaySchema = across(sshGatewayFields, checkGateway);

function checkGateway(args: Args, fault: RaiseFault, { isGiven }: Fields): void {
  checkListeners(args, fault);
  checkReplicasAndDrain(args, fault);
  checkIdle(args, fault, isGiven("idle"));
  checkExisting(args, fault);
  if (!isGiven("existing") && !isGiven("loadBalancer")) missingLoadBalancer(fault);
  checkResources(["resources"], args.resources, fault);
  checkPodMetadata(args.pod, fault);
}

function checkIdle({ admissionPolicy, egress }: Args, fault: RaiseFault, sleeps: boolean): void {
  if (sleeps && admissionPolicy === false)
    fault`admissionPolicy: is needed by idle, because it restricts what the activator may write; remove one of the two`;
  // The list has a default, so that it is missing only if it is at fault itself.
  if (egress?.apiServer === undefined) return;
  if (sleeps && egress.apiServer.length === 0)
    fault`egress.apiServer: is needed by idle; say where the API server is: egress: { apiServer: [{ cidr: "192.0.2.10/32" }] } (kubectl get endpoints kubernetes)`;
  if (!sleeps && egress.apiServer.length > 0)
    fault`egress.apiServer: has no effect without idle, whose pods alone use it; remove one of the two`;
}

function checkListeners({ listeners, domain, dnsName, allowIdentities }: Args, fault: RaiseFault): void {
  if (listeners === undefined) return;
  const { plain, tls } = listeners;
  if (plain === undefined && tls === undefined)
    fault`listeners: has no listener, so no client can connect; set plain: { port: 80 } or tls: { … }`;
  if (same(plain?.port, tls?.port)) {
    fault`listeners.tls.port: ${known(tls?.port)} is also the plain listener's port; give each its own`;
  }
  const certificate = tls?.certificate;
  const { secretName, issuer, issuerCaSecretName, dnsNames = [] } = certificate ?? {};
  if (
    tls !== undefined &&
    [secretName, issuer, issuerCaSecretName].filter((one) => one !== undefined).length !== 1
  ) {
    fault`listeners.tls.certificate: needs exactly one of secretName (a TLS Secret in the gateway's namespace), issuer (cert-manager's) and issuerCaSecretName (a CA's Secret there, for an issuer of its own)`;
  }
  if (secretName !== undefined && dnsNames.length > 0) {
    fault`listeners.tls.certificate.dnsNames: has no effect with secretName, whose certificate is issued elsewhere; remove it`;
  }
  // TLS clients send the name they connect to, and the listener is chosen by it.
  const [name, suffix] = [known(dnsName), known(domain)];
  if (tls !== undefined && name !== undefined && suffix !== undefined && !name.endsWith(`.${suffix}`)) {
    fault`dnsName: "${name}" is not below the domain; with a tls listener use a name like "ssh.${suffix}"`;
  }
  const isForSome = allowIdentities !== undefined && !isEmpty(allowIdentities);
  if (isForSome && tls?.clientCa === undefined)
    fault`allowIdentities: needs listeners.tls.clientCa; only a client certificate proves an identity`;
  if (isForSome && plain !== undefined)
    fault`listeners.plain: cannot be used with allowIdentities, because its clients have no certificate; remove one of the two`;
}

function checkReplicasAndDrain(args: Args, fault: RaiseFault): void {
  checkAutoscaling(args, fault);
  const drainSeconds = known(args.drainSeconds) ?? 0;
  const terminationGracePeriodSeconds =
    known(args.pod?.terminationGracePeriodSeconds) ?? Number.POSITIVE_INFINITY;
  if (drainSeconds > terminationGracePeriodSeconds) {
    fault`drainSeconds: ${drainSeconds} is longer than pod.terminationGracePeriodSeconds (${terminationGracePeriodSeconds}), so sessions would be cut before the drain ends; leave that out or raise it`;
  }
}

/** Arguments that describe a gateway of our own mean nothing for one that exists already. */
const unused = "has no effect with existing, because that gateway is managed elsewhere; remove it";

function checkExisting(args: Args, fault: RaiseFault): void {
  if (args.existing === undefined) return;
  for (const field of [
    "loadBalancer",
    "connectionLimits",
    "replicas",
    "autoscaling",
    "createNamespace",
  ] as const) {
    if (args[field] !== undefined) fault`${field}: ${unused}`;
  }
  const { dns, istiod, outsideHosts } = args.egress ?? {};
  if ([dns, istiod, outsideHosts].some((list) => list !== undefined && !isEmpty(list))) {
    fault`egress: ${unused}`;
  }
  for (const field of ["labels", "annotations"] as const) {
    if (Object.keys(args.pod?.[field] ?? {}).length > 0) fault`pod.${field}: ${unused}`;
  }
  if (Object.keys(args.existing.selector ?? {}).length === 0) {
    fault`existing.selector: is empty and would select every gateway; set the labels of its pods`;
  }
  if (args.listeners?.tls !== undefined)
    fault`listeners.tls: is not available with existing; give the gateway its own LoadBalancer for TLS`;
}
