/** Gateways of others that would take the pods or the Service of the SSH gateway. */
import { selectorLabels } from "../../../packages/drawbridge/src/kubernetes/labels.ts";
import type { ApiObject } from "./api-user.ts";
import { type Attack, namespaceOf, ownPodLabels, type Place, variants, type Who } from "./attack.ts";
import { object } from "./istio.ts";

type Spec = Record<string, unknown>;

const servers = [{ port: { number: 80, name: "http", protocol: "HTTP" }, hosts: ["*/*"] }];

export const gateway = (place: Place, who: Who, spec: Spec, annotations?: Spec) =>
  object("Gateway", place, who, { servers, ...spec }, annotations);

/** Labels by which the gateway's pods are selected. */
export const podLabels = ({ gateway }: Place) => selectorLabels("ssh-gateway", gateway.name);

/** A Gateway of someone's own proxies, which everybody may have. */
export const ownGateway = (place: Place, who: Who) => gateway(place, who, { selector: { istio: "own" } });

/** A Gateway of the Gateway API, for someone's own Service or for another. */
export const apiGateway = (place: Place, who: Who, value: string): ApiObject => ({
  ...gateway(place, who, { gatewayClassName: "istio", addresses: [{ type: "Hostname", value }] }),
  apiVersion: "gateway.networking.k8s.io/v1",
});

const ownService = (who: Who, place: Place) => `own.${namespaceOf(who, place)}.svc.cluster.local`;
const internals = /annotations internal\.istio\.io\/… are istiod's own; remove them/;

function against(who: "owner" | "bystander"): Attack[] {
  const by = who === "owner" ? "team" : "bystander";
  const base = { who, policy: "gateways", twin: (place: Place) => ownGateway(place, who) } as const;
  return [
    ...variants<Spec>(
      {
        ...base,
        name: `a Gateway of a ${by} with the gateway's pods`,
        refusal: /this Gateway would take the pods of gateway /,
        make: (place, spec) => gateway(place, who, spec),
      },
      {
        "no selector": () => ({}),
        "all of their labels": (place) => ({ selector: podLabels(place) }),
        "the label of one": (place) => ({ selector: { "app.kubernetes.io/instance": place.gateway.name } }),
        "the kind's label": () => ({ selector: { "app.kubernetes.io/part-of": "drawbridge" } }),
        "a label of their platform's": () => ({ selector: ownPodLabels }),
        "a label of injection's": () => ({ selector: { "service.istio.io/canonical-revision": "latest" } }),
        "another of injection's": (place) => ({
          selector: { "service.istio.io/canonical-name": place.gateway.name },
        }),
        "the revision": () => ({ selector: { "istio.io/rev": "default" } }),
        "the injection": () => ({ selector: { "sidecar.istio.io/inject": "true" } }),
        "the ReplicaSet's label": () => ({ selector: { "pod-template-hash": "5d4f8c7b9" } }),
        "the node": () => ({ selector: { "kubernetes.io/hostname": "lab" } }),
        "the zone": () => ({ selector: { "topology.kubernetes.io/zone": "a" } }),
        "the cluster": () => ({ selector: { "topology.istio.io/cluster": "Kubernetes" } }),
        "their labels and an added one": (place) => ({
          selector: { ...podLabels(place), "istio.io/rev": "default" },
        }),
      },
    ),
    ...variants<Record<string, string>>(
      {
        ...base,
        name: `a Gateway of a ${by} with istiod's annotations for the gateway's Service`,
        refusal: internals,
        make: (place, annotations) => gateway(place, who, { selector: { istio: "own" } }, annotations),
      },
      {
        "gateway-service": (place) => ({
          "internal.istio.io/gateway-service": `${place.gateway.name}.${place.gateway.namespace}.svc.cluster.local`,
          "internal.istio.io/parent-namespace": place.gateway.namespace,
        }),
      },
    ),
    ...variants<string>(
      {
        ...base,
        policy: "gateway-api",
        bare: true,
        name: `a Gateway API Gateway of a ${by} for the gateway's Service`,
        refusal: /the Service of gateway \S+ is not yours to name/,
        make: (place, value) => apiGateway(place, who, value),
        twin: (place) => apiGateway(place, who, ownService(who, place)),
      },
      {
        "its whole name": (place) => `${place.gateway.name}.${place.gateway.namespace}.svc.cluster.local`,
        "its short name": (place) => `${place.gateway.name}.${place.gateway.namespace}`,
        "in capitals": (place) => `${place.gateway.name}.${place.gateway.namespace}.SVC`.toUpperCase(),
      },
    ),
    {
      ...base,
      policy: "gateway-api",
      bare: true,
      name: `a Gateway API Gateway of a ${by} with istiod's annotations for the gateway's Service`,
      refusal: internals,
      object: (place) => {
        const { metadata, ...rest } = apiGateway(place, who, ownService(who, place));
        const annotations = { "internal.istio.io/parent-namespace": place.gateway.namespace };
        return { ...rest, metadata: { ...metadata, annotations } } as ApiObject;
      },
      twin: (place) => apiGateway(place, who, ownService(who, place)),
    },
  ];
}

export const foreignGateways: readonly Attack[] = (["owner", "bystander"] as const).flatMap(against);
