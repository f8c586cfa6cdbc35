/** What must go on beside the policies, apart from the attacks' twins. */
import { objectLabels, selectorLabels } from "../../../packages/drawbridge/src/kubernetes/labels.ts";
import { type Act, annotate, dry, pod, statusOf } from "./api-attack.ts";
import { defaultDeny, namespaceObject, outsideHost, quota, role } from "./api-attacks.ts";
import type { ApiObject } from "./api-user.ts";
import { named, ownPodLabels, type Place, type Who } from "./attack.ts";
import { bystanderObjects } from "./bystander.ts";
import { apiGateway, gateway, podLabels } from "./foreign-gateways.ts";
import { mirrored, unscheduled } from "./greedy-workloads.ts";
import { annotated, configMap } from "./heavy.ts";
import { entry, rule } from "./istio.ts";
import { policy, slice } from "./kubernetes.ts";
import { quotaOf, secret, slicesQuota } from "./lasting.ts";
import { furtherName, own, route } from "./route.ts";
import { hardQuota } from "./stage.ts";

interface Accepted {
  readonly name: string;
  readonly who: Who;
  readonly act: Act;
}

const writes = (name: string, who: Who, object: (place: Place) => ApiObject): Accepted => ({
  name,
  who,
  act: (user, place) => user.apply(object(place), dry),
});

const changesNamespace = (
  name: string,
  who: Who,
  of: (place: Place) => string,
  metadata: object,
): Accepted => ({
  name,
  who,
  act: (user, place) => user.merge(namespaceObject(of(place)), { metadata }, dry),
});

/** Kinds that a team may not write. */
const platformKinds = [
  ["networking.istio.io/v1", "WorkloadEntry"],
  ["cilium.io/v1", "CiliumNetworkPolicy"],
] as const;

const lowered = { labels: { "pod-security.kubernetes.io/enforce": "baseline" } };

export const accepted: readonly Accepted[] = [
  ...Object.entries(bystanderObjects).map(([name, object]) =>
    writes(`a bystander's ${name}`, "bystander", object),
  ),
  writes("a bystander's Gateway for another instance", "bystander", (place) =>
    gateway(place, "bystander", { selector: selectorLabels("ssh-gateway", "another") }),
  ),
  writes(
    "a bystander's Gateway with another value of a label that the platform gave ours",
    "bystander",
    (place) => gateway(place, "bystander", { selector: { [Object.keys(ownPodLabels)[0] as string]: "own" } }),
  ),
  writes("a bystander's NetworkPolicy with a label of the platform's", "bystander", (place) => {
    const object = policy(place, "bystander", []);
    return { ...object, metadata: { ...object.metadata, labels: { "app.kubernetes.io/component": "team" } } };
  }),
  writes("a bystander's DestinationRule for all", "bystander", (place) =>
    rule(place, "bystander", { exportTo: ["*"] }),
  ),
  writes("a bystander's quota of slices", "bystander", (place) => quotaOf(place, slicesQuota, "bystander")),
  writes("a bystander's token of a service account", "bystander", (place) =>
    secret(place, "kubernetes.io/service-account-token", "bystander"),
  ),
  changesNamespace("a bystander's Pod Security", "bystander", ({ bystander }) => bystander, lowered),
  writes("the gateway's own Gateway", "gateway", (place) =>
    gateway(place, "gateway", { selector: podLabels(place) }),
  ),
  writes("the gateway's own Gateway of the Gateway API", "gateway", (place) =>
    apiGateway(place, "gateway", `${place.gateway.name}.${place.gateway.namespace}.svc.cluster.local`),
  ),
  writes("a team's route on a Gateway of its own with the same name", "owner", (place) =>
    route(place, { gateways: [place.gateway.name], hosts: ["shop.example.org"] }, "owner"),
  ),
  writes("a container's route without certificates", "deployer", (place) => furtherName(place, own(place))),
  writes("a team's route in the mesh for itself", "deployer", (place) =>
    route(place, { gateways: ["mesh"], exportTo: ["."] }),
  ),
  writes("a team's ServiceEntry with a host name for an endpoint", "owner", (place) =>
    entry(place, "owner", { resolution: "DNS", endpoints: [{ address: "db.example.org" }] }),
  ),
  writes("a team's ServiceEntry of a host alone", "owner", (place) =>
    entry(place, "owner", { resolution: "NONE", ports: undefined, endpoints: undefined }),
  ),
  writes("a team's HTTPRoute on a Gateway of another namespace", "owner", ({ team }) => ({
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "HTTPRoute",
    metadata: { name: "own", namespace: team },
    spec: { parentRefs: [{ name: "shop", namespace: "ingress" }] },
  })),
  changesNamespace("a team's own labels, removed", "owner", ({ team }) => team, {
    labels: { purpose: null },
    annotations: { note: null, "kubectl.kubernetes.io/note": null },
  }),
  changesNamespace("the platform's change of a team's Pod Security", "platform", ({ team }) => team, lowered),
  writes("a pod that a node shows, of a file of its own", "node", mirrored),
  writes("the platform's own pod on a node", "platform", mirrored),
  {
    name: "a scheduled pod, changed by what made it",
    who: "workloads",
    act: async (user, place) => {
      const made = named(unscheduled(place), "scheduled");
      for (const step of [await user.apply(made), await user.bind(made, "node-1")]) {
        // It has been bound before.
        if (step.status >= 300 && step.status !== 409) return step;
      }
      return user.merge(made, { metadata: { annotations: { seen: "yes" } } }, dry);
    },
  },
  ...platformKinds.map(([apiVersion, kind]) =>
    writes(`the platform's ${kind} in a team's namespace`, "platform", ({ team }) => ({
      apiVersion,
      kind,
      metadata: { name: "platform", namespace: team },
      spec: { address: "192.0.2.7" },
    })),
  ),
  {
    name: "a lost node's pod, marked as failed by the control plane's collector",
    who: "collector",
    act: statusOf(pod, { phase: "Failed" }),
  },
  {
    name: "a slice of the control plane's own",
    who: "slicer",
    act: (user, place) => user.post(slice(place, "slicer", "10.244.0.9"), dry),
  },
  {
    name: "what the control plane counts for a quota of the platform's",
    who: "counter",
    act: (user, place) => {
      const { metadata, ...rest } = quota(place);
      const labels = objectLabels("team", place.team);
      const counted = { spec: { hard: hardQuota }, status: { hard: hardQuota, used: { pods: "1" } } };
      return user.replace({ ...rest, ...counted, metadata: { ...metadata, labels } }, "status", dry);
    },
  },
  {
    name: "the control plane's emptying of a namespace",
    who: "remover",
    act: (user, place) => user.remove(defaultDeny(place), dry),
  },
  {
    name: "the platform's removal of its default deny",
    who: "platform",
    act: (user, place) => user.remove(defaultDeny(place), dry),
  },
  {
    name: "the platform's change of a Service that it made without a selector",
    who: "platform",
    act: annotate(outsideHost),
  },
  writes("a bystander's object of any size", "bystander", (place) =>
    annotated(quotaOf(place, "pods", "bystander"), 200_000),
  ),
  writes("a team's large page", "deployer", (place) => configMap(place, "<p>&amp;</p>".repeat(17_000))),
  {
    name: "a slice of the control plane's that is larger than a team's own may be",
    who: "slicer",
    act: (user, place) => user.post(annotated(slice(place, "slicer", "10.244.0.9"), 100_000), dry),
  },
  {
    name: "a pod of a controller's that is larger than a team's own may be",
    who: "workloads",
    act: (user, place) => user.post(annotated(unscheduled(place), 100_000), dry),
  },
  writes("the platform's quota of slices", "platform", (place) => quotaOf(place, slicesQuota)),
  {
    name: "a change of the platform's Service by a program that may change all",
    who: "keeper",
    act: annotate(outsideHost),
  },
  writes("the platform's token of a team's service account", "platform", (place) =>
    secret(place, "kubernetes.io/service-account-token"),
  ),
  { name: "the platform's change of the deployer's role", who: "platform", act: annotate(role) },
];
