import type { Manifest } from "../common/manifest.ts";
import { isEmpty, text, whenListed } from "../common/placed.ts";
import { connectRouteName } from "../gateway/plan.ts";
import type { SshGatewayRefParsed } from "../gateway/ref.ts";
import { certificateHeader, clientCertificatePattern, portPattern } from "../gateway/route-match.ts";
import { type HostPlan, internalName } from "./plan.ts";

/** A host's own routes on the gateway: route-level only, so adding them cuts nobody's session. */
export function hostRoute(plan: HostPlan, gateway: SshGatewayRefParsed): Manifest<"VirtualService"> {
  const hosts = plan.hostNames;
  const { allowIdentities } = plan.access;
  const certificate = isEmpty(allowIdentities)
    ? {}
    : { headers: { [certificateHeader]: { regex: whenListed(allowIdentities, clientCertificatePattern) } } };
  return {
    apiVersion: "networking.istio.io/v1",
    kind: "VirtualService",
    metadata: { name: plan.names.route, namespace: plan.namespace, labels: plan.labels },
    spec: {
      hosts,
      gateways: [text`${gateway.namespace}/${gateway.name}`],
      exportTo: [gateway.namespace],
      http: plan.gatewayPorts.map(({ port }) => ({
        name: connectRouteName,
        match: [{ authority: { regex: portPattern(port) }, ...certificate }],
        // A client asks again itself. Istio's default would be a fifth of every route, and all of them are sent at each change.
        retries: { attempts: 0 },
        route: [
          {
            destination: {
              host: internalName(plan.names.service, plan.namespace),
              port: { number: port },
            },
          },
        ],
      })),
    },
  };
}
