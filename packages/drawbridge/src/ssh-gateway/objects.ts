import { connectFilter } from "../istio/connect-filter.ts";
import { namespaceManifest } from "../istio/data-plane.ts";
import { identityPolicy, sshListeners } from "../istio/listeners.ts";
import { isEmpty, withValues } from "../kit/input.ts";
import { admissionObjects } from "../kubernetes/admission-objects.ts";
import { autoscaler } from "../kubernetes/autoscaling.ts";
import type { LoadBalancerParsed } from "../kubernetes/load-balancer.ts";
import { allAfter, declared, type Objects } from "../kubernetes/objects.ts";
import { serviceAccount } from "../kubernetes/own-namespace.ts";
import { disruptionBudget } from "../kubernetes/workload.ts";
import { gatewayPolicies } from "./admission-policy.ts";
import {
  certificateReaderBinding,
  certificateReaderRole,
  clientCaSecret,
  gatewayCertificate,
  gatewayIssuer,
} from "./certificate.ts";
import { gatewayDeployment } from "./deployment.ts";
import {
  activatorBudget,
  activatorLeaseBinding,
  activatorLeaseRole,
  type GatewayIdle,
  type IdleRole,
  idleClusterBinding,
  idleClusterRole,
  idleDeployment,
  idleNetworkPolicy,
  idleServiceAccount,
} from "./idle.ts";
import { gatewayLoadBalancer, gatewayNetworkPolicy } from "./network.ts";
import type { SshGatewayPlan } from "./plan.ts";

/** A gateway's objects. */
export function sshGatewayObjects(plan: SshGatewayPlan) {
  const tls = allAfter(["namespace"], tlsObjects(plan));
  const routing = { ...allAfter(["namespace"], routingObjects(plan)), ...policiesOf(plan) };
  const { loadBalancer } = plan;
  const sleeping = plan.idle && { plan, idle: plan.idle };
  return {
    namespace: plan.createNamespace && declared(namespaceManifest(plan)),
    ...tls,
    ...routing,
    ...(loadBalancer &&
      allAfter(["namespace"], proxyObjects(plan, loadBalancer, Object.keys({ ...tls, ...routing })))),
    ...(sleeping && {
      ...idleObjects(sleeping, "culler"),
      ...idleObjects(sleeping, "activator", {
        "activator-lease-role": declared(activatorLeaseRole(sleeping)),
        "activator-lease-binding": declared(activatorLeaseBinding(sleeping)),
        "activator-disruption": declared(activatorBudget(sleeping)),
      }),
    }),
  };
}

export type SshGatewayObjects = ReturnType<typeof sshGatewayObjects>;

/** The objects without which no container's route works: what uses the gateway waits for them. */
export const gatewayRouting = /^(connect-filter|listeners|identities|admission(-.*)?)$/;

/** The server's certificate, the clients' CA, and the proxy's right to read both. */
function tlsObjects(plan: SshGatewayPlan) {
  const { tls } = plan;
  if (tls === undefined) return {};
  const { issuer, clientCa } = tls;
  const { issuerCaSecretName } = tls.certificate;
  return {
    "certificate-reader": declared(certificateReaderRole(plan)),
    "certificate-binding": declared(certificateReaderBinding(plan)),
    issuer:
      issuer && issuerCaSecretName !== undefined && declared(gatewayIssuer(plan, issuer, issuerCaSecretName)),
    certificate: issuer && declared(gatewayCertificate(plan, tls, issuer)),
    "client-ca": clientCa !== undefined && declared(clientCaSecret(plan, tls, clientCa)),
  } satisfies Objects;
}

/** The listeners, and the filter that makes routes CONNECT routes. */
function routingObjects(plan: SshGatewayPlan) {
  return {
    "connect-filter": declared(connectFilter(plan)),
    // Without the filter a container's route would forward plain HTTP to sshd.
    listeners: declared(sshListeners(plan), { after: ["connect-filter"] }),
    identities: !isEmpty(plan.allowIdentities) && declared(identityPolicy(plan)),
  } satisfies Objects;
}

/** Who may add routes. */
function policiesOf(plan: SshGatewayPlan) {
  if (!plan.admissionPolicy) return {};
  return admissionObjects(
    [plan.namespace, plan.domain, ...Object.values(plan.podLabels)],
    (namespace = "", domain = "", ...known) => {
      const own = { ...plan, namespace, domain, podLabels: withValues(plan.podLabels, known) };
      const owner = { path: ["ssh-gateway", namespace, plan.name], labels: plan.labels };
      return { owner, policies: gatewayPolicies(own) };
    },
  );
}

/** The proxies and their LoadBalancer. */
function proxyObjects(plan: SshGatewayPlan, loadBalancer: LoadBalancerParsed, before: readonly string[]) {
  const { autoscaling } = plan;
  return {
    "service-account": declared(serviceAccount(plan.name, plan)),
    egress: declared(gatewayNetworkPolicy(plan)),
    proxy: declared(gatewayDeployment(plan), { after: ["service-account", "egress", ...before] }),
    autoscaler: autoscaling && declared(autoscaler(plan, autoscaling)),
    // One pod at a time, each after its drain window.
    disruption: declared(disruptionBudget(plan, 1)),
    "load-balancer": declared(gatewayLoadBalancer(plan, loadBalancer)),
  } satisfies Objects;
}

/** The culler or the activator, with an account of its own. */
function idleObjects(gateway: GatewayIdle, role: IdleRole, own: Objects = {}): Objects {
  const before = {
    ...allAfter(["namespace"], own),
    [`${role}-account`]: declared(idleServiceAccount(gateway, role), { after: ["namespace"] }),
    [`${role}-role`]: declared(idleClusterRole(gateway, role)),
    [`${role}-binding`]: declared(idleClusterBinding(gateway, role)),
    [`${role}-network`]: declared(idleNetworkPolicy(gateway, role), { after: ["namespace"] }),
  };
  const after = ["namespace", ...Object.keys(before)];
  return { ...before, [role]: declared(idleDeployment(gateway, role), { after }) };
}
