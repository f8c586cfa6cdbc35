/** What the arguments of a gateway must satisfy together. */

import { checkPodMetadata } from "../istio/data-plane.ts";
import { isEmpty, known } from "../kit/placed.ts";
import { across, type Fields, type RaiseFault } from "../kit/schema.ts";
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
  checkPodMetadata(args, fault);
}

function checkIdle({ admissionPolicy, egress }: Args, fault: RaiseFault, sleeps: boolean): void {
  if (sleeps && admissionPolicy === false) fault(["admissionPolicy"], "idle-needs-admission-policy");
  // The list has a default, so that it is missing only if it is at fault itself.
  if (egress?.apiServer === undefined) return;
  if (sleeps && egress.apiServer.length === 0) fault(["egress", "apiServer"], "idle-needs-api-server");
  if (!sleeps && egress.apiServer.length > 0) fault(["egress", "apiServer"], "api-server-without-idle");
}

function checkListeners({ listeners, domain, dnsName, allowIdentities }: Args, fault: RaiseFault): void {
  if (listeners === undefined) return;
  const { plain, tls } = listeners;
  if (plain === undefined && tls === undefined) fault(["listeners"], "no-listener");
  if (plain?.port !== undefined && plain.port === tls?.port) {
    fault(["listeners", "tls", "port"], "listener-ports-equal", { port: tls.port });
  }
  const certificate = tls?.certificate;
  const { secretName, issuer, issuerCaSecretName, dnsNames = [] } = certificate ?? {};
  if (
    tls !== undefined &&
    [secretName, issuer, issuerCaSecretName].filter((one) => one !== undefined).length !== 1
  ) {
    fault(["listeners", "tls", "certificate"], "certificate-sources");
  }
  if (secretName !== undefined && dnsNames.length > 0) {
    fault(["listeners", "tls", "certificate", "dnsNames"], "dns-names-with-secret");
  }
  // TLS clients send the name they connect to, and the listener is chosen by it.
  const [name, suffix] = [known(dnsName), known(domain)];
  if (tls !== undefined && name !== undefined && suffix !== undefined && !name.endsWith(`.${suffix}`)) {
    fault(["dnsName"], "dns-name-outside-domain", { dnsName: name, domain: suffix });
  }
  const isForSome = allowIdentities !== undefined && !isEmpty(allowIdentities);
  if (isForSome && tls?.clientCa === undefined) fault(["allowIdentities"], "identities-without-client-ca");
  if (isForSome && plain !== undefined) fault(["listeners", "plain"], "plain-listener-with-identities");
}

function checkReplicasAndDrain(args: Args, fault: RaiseFault): void {
  const { autoscaling, replicas } = args;
  const { drainSeconds = 0, terminationGracePeriodSeconds = Number.POSITIVE_INFINITY } = args;
  if (autoscaling !== undefined && replicas !== undefined) fault(["replicas"], "replicas-with-autoscaling");
  if (autoscaling !== undefined && autoscaling.minReplicas > autoscaling.maxReplicas) {
    const { minReplicas, maxReplicas } = autoscaling;
    fault(["autoscaling", "maxReplicas"], "max-replicas-below-min", { maxReplicas, minReplicas });
  }
  if (drainSeconds > terminationGracePeriodSeconds) {
    fault(["drainSeconds"], "drain-longer-than-grace", { drainSeconds, terminationGracePeriodSeconds });
  }
}

/** Arguments that describe a gateway of our own mean nothing for one that exists already. */
function checkExisting(args: Args, fault: RaiseFault): void {
  if (args.existing === undefined) return;
  for (const field of [
    "loadBalancer",
    "connectionLimits",
    "replicas",
    "autoscaling",
    "createNamespace",
  ] as const) {
    if (args[field] !== undefined) fault([field], "unused-with-existing");
  }
  const { dns, istiod, outsideHosts } = args.egress ?? {};
  if ([dns, istiod, outsideHosts].some((list) => list !== undefined && !isEmpty(list))) {
    fault(["egress"], "unused-with-existing");
  }
  for (const field of ["podLabels", "podAnnotations"] as const) {
    if (Object.keys(args[field] ?? {}).length > 0) fault([field], "unused-with-existing");
  }
  if (Object.keys(args.existing.selector ?? {}).length === 0) {
    fault(["existing", "selector"], "selector-empty-gateway");
  }
  if (args.listeners?.tls !== undefined) fault(["listeners", "tls"], "tls-with-existing");
}
