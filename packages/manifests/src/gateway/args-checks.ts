/** What the arguments of a gateway must satisfy together. */
import { missingLoadBalancer } from "../common/load-balancer.ts";
import { checkPodMetadata, type PodMetadata } from "../common/pod-metadata.ts";
import { checkResources, type ResourcesParsed } from "../common/resources.ts";
import type { Fields, RaiseFault } from "../common/schema.ts";

interface Checked {
  readonly domain?: string;
  readonly dnsName?: string | undefined;
  readonly listeners?: {
    readonly plain?: { readonly port: number } | undefined;
    readonly tls?:
      | {
          readonly port: number;
          readonly certificate?: {
            readonly secretName?: unknown;
            readonly issuer?: object | undefined;
            readonly caSecretName?: unknown;
            readonly dnsNames?: readonly string[];
          };
          readonly clientCa?: unknown;
        }
      | undefined;
  };
  readonly allow?: { readonly identities?: readonly string[] };
  readonly replicas?: number | undefined;
  readonly autoscaling?: { readonly minimum: number; readonly maximum: number } | undefined;
  readonly drainSeconds?: number;
  readonly admissionPolicy?: boolean;
  readonly terminationGraceSeconds?: number | undefined;
  readonly existing?: { readonly selector: Readonly<Record<string, string>> } | undefined;
  readonly loadBalancer?: object | undefined;
  readonly limits?: object | undefined;
  readonly createNamespace?: boolean | undefined;
  readonly podLabels?: PodMetadata["podLabels"];
  readonly podAnnotations?: PodMetadata["podAnnotations"];
  readonly resources?: ResourcesParsed;
  readonly egress?: {
    readonly dns: readonly string[];
    readonly istiod: readonly string[];
    readonly apiServer?: readonly object[];
  };
}

export function checkGateway(args: Checked, fault: RaiseFault, { isGiven }: Fields): void {
  checkListeners(args, fault);
  checkLife(args, fault);
  checkIdle(args, fault, isGiven("idle"));
  checkExisting(args, fault);
  if (!isGiven("existing") && !isGiven("loadBalancer")) missingLoadBalancer(fault);
  checkResources(["resources"], args.resources, fault);
  checkPodMetadata(args, fault);
}

function checkIdle({ admissionPolicy, egress }: Checked, fault: RaiseFault, sleeps: boolean): void {
  if (sleeps && admissionPolicy === false) {
    fault(
      ["admissionPolicy"],
      "is needed by idle: it narrows what the activator may write; remove one of the two",
    );
  }
  // It has a default, so it is only missing where it is at fault.
  if (egress?.apiServer === undefined) return;
  if (sleeps && egress.apiServer.length === 0) {
    fault(
      ["egress", "apiServer"],
      'is needed by idle: say where the API server is, as egress: { apiServer: [{ cidr: "192.0.2.10/32" }] } (kubectl get endpoints kubernetes)',
    );
  }
  if (!sleeps && egress.apiServer.length > 0) {
    fault(
      ["egress", "apiServer"],
      "has no meaning without idle, whose pods alone ask it; remove one of the two",
    );
  }
}

function checkListeners({ listeners, domain, dnsName, allow }: Checked, fault: RaiseFault): void {
  if (listeners === undefined) return;
  const { plain, tls } = listeners;
  if (plain === undefined && tls === undefined) {
    fault(
      ["listeners"],
      "names no listener, so nobody could connect; give plain: { port: 80 } or tls: { … }",
    );
  }
  if (plain?.port !== undefined && plain.port === tls?.port) {
    fault(["listeners", "tls", "port"], `${tls.port} is the plain listener's port too; give each its own`);
  }
  const certificate = tls?.certificate;
  const { secretName, issuer, caSecretName, dnsNames = [] } = certificate ?? {};
  if (
    tls !== undefined &&
    [secretName, issuer, caSecretName].filter((one) => one !== undefined).length !== 1
  ) {
    fault(
      ["listeners", "tls", "certificate"],
      "needs exactly one of secretName (a TLS Secret in the gateway's namespace), issuer (cert-manager's) and caSecretName (a CA's Secret there, for an issuer of its own)",
    );
  }
  if (secretName !== undefined && dnsNames.length > 0) {
    fault(
      ["listeners", "tls", "certificate", "dnsNames"],
      "has no meaning with secretName, whose certificate is made elsewhere; remove it",
    );
  }
  // TLS clients send the name they connect to, and the listener is chosen by it.
  if (tls !== undefined && dnsName !== undefined && domain !== undefined && !dnsName.endsWith(`.${domain}`)) {
    fault(
      ["dnsName"],
      `"${dnsName}" is not below the domain; with a tls listener use a name like "ssh.${domain}"`,
    );
  }
  if ((allow?.identities?.length ?? 0) > 0 && tls?.clientCa === undefined) {
    fault(
      ["allow", "identities"],
      "needs listeners.tls.clientCa: without a client CA nobody proves an identity",
    );
  }
  if ((allow?.identities?.length ?? 0) > 0 && plain !== undefined) {
    fault(["listeners", "plain"], "must go while allow.identities is set: its clients have no certificate");
  }
}

function checkLife(args: Checked, fault: RaiseFault): void {
  const { autoscaling, replicas, drainSeconds, terminationGraceSeconds } = args;
  if (autoscaling !== undefined && replicas !== undefined) {
    fault(["replicas"], "cannot stand beside autoscaling, which decides the number; remove one of the two");
  }
  if (autoscaling !== undefined && autoscaling.minimum > autoscaling.maximum) {
    fault(
      ["autoscaling", "maximum"],
      `${autoscaling.maximum} is below the minimum of ${autoscaling.minimum}`,
    );
  }
  if (
    drainSeconds !== undefined &&
    terminationGraceSeconds !== undefined &&
    drainSeconds > terminationGraceSeconds
  ) {
    fault(
      ["drainSeconds"],
      `${drainSeconds} is longer than terminationGraceSeconds (${terminationGraceSeconds}), so sessions would be cut before the drain ends; leave terminationGraceSeconds out or raise it`,
    );
  }
}

/** Arguments that describe a gateway of our own mean nothing for one that exists already. */
function checkExisting(args: Checked, fault: RaiseFault): void {
  if (args.existing === undefined) return;
  for (const field of ["loadBalancer", "limits", "replicas", "autoscaling", "createNamespace"] as const) {
    if (args[field] !== undefined)
      fault([field], "has no meaning with existing; that gateway is somebody else's");
  }
  if ((args.egress?.dns?.length ?? 0) + (args.egress?.istiod?.length ?? 0) > 0) {
    fault(["egress"], "has no meaning with existing; what that gateway's pods may reach is somebody else's");
  }
  for (const field of ["podLabels", "podAnnotations"] as const) {
    if (Object.keys(args[field] ?? {}).length > 0) {
      fault([field], "have no meaning with existing; that gateway's pods are somebody else's");
    }
  }
  if (Object.keys(args.existing.selector ?? {}).length === 0) {
    fault(["existing", "selector"], "is empty and would select every gateway; give the labels of its pods");
  }
  if (args.listeners?.tls !== undefined) {
    fault(
      ["listeners", "tls"],
      "is not available with existing; give the gateway its own LoadBalancer for TLS",
    );
  }
}
