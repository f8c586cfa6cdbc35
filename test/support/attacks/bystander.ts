/** What someone who does not use drawbridge writes every day, and no policy may hinder. */
import type { ApiObject } from "./api-user.ts";
import { named, type Place } from "./attack.ts";
import { annotated, takesNames } from "./dns-names.ts";
import { ownGateway } from "./foreign-gateways.ts";
import { entry, rule } from "./istio.ts";
import { alias, endpoints, policy, service, slice } from "./kubernetes.ts";

const who = "bystander";

const istio = (place: Place, kind: string, spec: object): ApiObject => ({
  apiVersion: `networking.istio.io/${kind === "EnvoyFilter" ? "v1alpha3" : "v1"}`,
  kind,
  metadata: { name: "daily", namespace: place.bystander },
  spec,
});

const containers = [{ name: "own", image: "drawbridge.local/none:1" }];
const pod = ({ bystander }: Place, name: string, spec: object = {}): ApiObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: bystander },
  spec: { containers, ...spec },
});

export const bystanderObjects: Readonly<Record<string, (place: Place) => ApiObject>> = {
  "a Gateway of his own proxies": (place) => ownGateway(place, who),
  "a route on it": (place) =>
    istio(place, "VirtualService", {
      hosts: ["shop.example.org"],
      gateways: ["attack"],
      http: [
        {
          match: [{ uri: { prefix: "/" } }],
          rewrite: { uri: "/" },
          route: [{ destination: { host: "shop" } }],
          mirror: { host: "audit" },
        },
        { redirect: { authority: "example.org" } },
      ],
    }),
  "a route in the mesh": (place) =>
    named(
      istio(place, "VirtualService", {
        hosts: [`shop.${place.bystander}.svc.cluster.local`],
        http: [{ timeout: "1s", route: [{ destination: { host: "shop" } }] }],
      }),
      "mesh",
    ),
  "a ServiceEntry of an outside host": (place) => entry(place, who),
  "a ServiceEntry inside his namespace": (place) =>
    named(entry(place, who, { hosts: [`own.${place.bystander}.svc.cluster.local`] }), "inside"),
  "a ServiceEntry on loopback": (place) =>
    named(
      entry(place, who, { hosts: ["local.example.org"], endpoints: [{ address: "127.0.0.1" }] }),
      "local",
    ),
  "a WorkloadEntry": (place) =>
    istio(place, "WorkloadEntry", { address: "192.0.2.7", labels: { app: "vm" } }),
  "a DestinationRule with a credential": (place) =>
    rule(place, who, { trafficPolicy: { tls: { mode: "SIMPLE", credentialName: "upstream" } } }),
  "an EnvoyFilter of his own proxies": (place) =>
    istio(place, "EnvoyFilter", { workloadSelector: { labels: { istio: "own" } }, configPatches: [] }),
  "an ExternalName": (place) => named(alias(place, who, "example.org"), "outside"),
  "a Service with externalIPs": (place) =>
    named(service(place, who, { clusterIP: undefined, externalIPs: ["192.0.2.77"] }), "external"),
  "a Service without a selector": (place) => named(service(place, who, { selector: undefined }), "own"),
  "an EndpointSlice by hand": (place) => slice(place, who, "192.0.2.7"),
  "Endpoints by hand": (place) => endpoints(place, who, "192.0.2.7"),
  "a NetworkPolicy that opens everything": (place) => policy(place, who, [{}]),
  "a pod": (place) => pod(place, "own"),
  "a pod on a node of his choice": (place) => pod(place, "placed", { nodeName: "node-1" }),
  "a workload of many pods": ({ bystander }) => ({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "many", namespace: bystander },
    spec: {
      replicas: 101,
      paused: true,
      selector: { matchLabels: { app: "many" } },
      template: { metadata: { labels: { app: "many" } }, spec: { containers } },
    },
  }),
  "a Service with a name for external-dns": (place) =>
    annotated(named(service(place, who), "named"), takesNames["for the internet"]),
};
