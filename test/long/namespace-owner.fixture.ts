/** What a neighbour with all rights in his own namespace may write: it is his own, and must reach nobody else. */
import { selectorLabels } from "../../packages/drawbridge/src/kubernetes/labels.ts";
import type { ApiObject } from "../support/attacks/api-user.ts";
import { named, type Place } from "../support/attacks/attack.ts";
import { ownGateway } from "../support/attacks/foreign-gateways.ts";
import { entry, rule } from "../support/attacks/istio.ts";
import { furtherName } from "../support/attacks/route.ts";

const object = (place: Place, apiVersion: string, kind: string, spec: object): ApiObject => ({
  apiVersion,
  kind,
  metadata: { name: "own", namespace: place.team },
  spec,
});

const gatewayPods = ({ gateway: { name } }: Place) => selectorLabels("ssh-gateway", name);
const here = (place: Place) => ({ selector: { matchLabels: gatewayPods(place) } });

export const ownerObjects: Readonly<Record<string, (place: Place) => ApiObject>> = {
  "a Sidecar for the gateway's labels": (place) =>
    object(place, "networking.istio.io/v1", "Sidecar", {
      workloadSelector: { labels: gatewayPods(place) },
      egress: [{ hosts: ["./*"] }],
    }),
  "an EnvoyFilter for the gateway's labels": (place) =>
    object(place, "networking.istio.io/v1alpha3", "EnvoyFilter", {
      workloadSelector: { labels: gatewayPods(place) },
      configPatches: [
        {
          applyTo: "LISTENER",
          match: { context: "GATEWAY" },
          patch: { operation: "MERGE", value: { per_connection_buffer_limit_bytes: 1 } },
        },
      ],
    }),
  "an EnvoyFilter for everything": (place) =>
    named(
      object(place, "networking.istio.io/v1alpha3", "EnvoyFilter", {
        configPatches: [
          {
            applyTo: "LISTENER",
            match: { context: "GATEWAY" },
            patch: { operation: "MERGE", value: { per_connection_buffer_limit_bytes: 1 } },
          },
        ],
      }),
      "all",
    ),
  "an AuthorizationPolicy that denies all": (place) =>
    object(place, "security.istio.io/v1", "AuthorizationPolicy", {
      ...here(place),
      action: "DENY",
      rules: [{}],
    }),
  "a RequestAuthentication": (place) =>
    object(place, "security.istio.io/v1", "RequestAuthentication", {
      ...here(place),
      jwtRules: [{ issuer: "me", jwks: '{"keys":[]}' }],
    }),
  "a PeerAuthentication": (place) =>
    object(place, "security.istio.io/v1", "PeerAuthentication", {
      ...here(place),
      mtls: { mode: "DISABLE" },
    }),
  "a Telemetry without logs": (place) =>
    object(place, "telemetry.istio.io/v1", "Telemetry", {
      ...here(place),
      accessLogging: [{ disabled: true }],
    }),
  "a WasmPlugin": (place) =>
    object(place, "extensions.istio.io/v1alpha1", "WasmPlugin", {
      ...here(place),
      url: "oci://example.org/plugin:1",
    }),
  "a TrafficExtension": (place) =>
    object(place, "extensions.istio.io/v1alpha1", "TrafficExtension", {
      ...here(place),
      lua: {
        inlineCode: "function envoy_on_request(handle) handle:respond({ [':status'] = '403' }, '') end",
      },
    }),
  "a ProxyConfig": (place) =>
    object(place, "networking.istio.io/v1beta1", "ProxyConfig", { ...here(place), concurrency: 1 }),
  "a Gateway for pods of his own": (place) => ownGateway(place, "owner"),
  "a ServiceEntry of an outside host": (place) => entry(place, "owner"),
  "a DestinationRule for his Service": (place) => rule(place, "owner"),
  "a route with a name of his own": (place) =>
    named(furtherName(place, `last.${place.team}.${place.gateway.domain}`), "last"),
};
