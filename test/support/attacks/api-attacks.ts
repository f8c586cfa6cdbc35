/** Every attack on the policies, as calls of the API server. */
import { type Act, type ApiAttack, dry, forgery, inTeam } from "./api-attack.ts";
import type { ApiObject, ApiUser } from "./api-user.ts";
import { type Attack, named, type Place, type Who } from "./attack.ts";
import { foreignGateways } from "./foreign-gateways.ts";
import { byScale } from "./greedy-workloads.ts";
import { heavyAttacks } from "./heavy.ts";
import { istioAttacks } from "./istio.ts";
import { endpoints, kubernetesAttacks, slice } from "./kubernetes.ts";
import { lastingAttacks } from "./lasting.ts";
import { routeAttacks } from "./routes.ts";
import { bindings, forgedStatuses } from "./statuses.ts";

/** An attack as a new object, and as a change of its twin. */
function attacksOf({ object, twin, ...attack }: Attack, index: number): ApiAttack[] {
  const [create, update] = [`new-${attack.policy}-${index}`, `changed-${attack.policy}-${index}`].map(
    (name) => name.replace("--", "-"),
  ) as [string, string];
  return [
    {
      ...attack,
      name: `${attack.name}, new`,
      attempt: (user, place) => user.apply(named(object(place), create), dry),
      twin: (user, place) => user.apply(named(twin(place), create), dry),
    },
    ...(object === twin || attack.newAlone
      ? []
      : [
          {
            ...attack,
            name: `${attack.name}, changed`,
            attempt: async (user: ApiUser, place: Place) => {
              const made = await user.apply(named(twin(place), update));
              if (made.status >= 300) return made;
              return user.apply(named(object(place), update), dry);
            },
            twin: (user: ApiUser, place: Place) => user.apply(named(twin(place), update), dry),
          },
        ]),
  ];
}

/** Policies that judge a team only where its platform asks for it, tried where a team is so: test/lab/egress.test.ts. */
export const onRequest: readonly string[] = ["team-egress-hosts"];

/** The attacks on one policy. */
export const attacksOn = (all: readonly ApiAttack[], policy: string) =>
  all.filter((attack) => attack.policy === policy);

const olderAddress = (object: (place: Place, who: Who, address: string) => ApiObject): Act => {
  return (user, place) => user.apply(named(object(place, "owner", "10.244.0.9"), "older"), dry);
};

/** Kinds of which there are objects from the time before the policies, with a change of their spec. */
const olderKinds = [
  ["externaldns.k8s.io/v1", "DNSEndpoint"],
  ["cilium.io/v1", "CiliumNetworkPolicy"],
  ["projectcalico.org/v1", "NetworkPolicy"],
  ["crd.projectcalico.org/v1", "NetworkPolicy"],
  ["gateway.networking.k8s.io/v1", "BackendTLSPolicy"],
  ["gateway.networking.x-k8s.io/v1", "XBackendTrafficPolicy"],
] as const;

const olderChanged = (apiVersion: string, kind: string, spec: object): Act => {
  return (user, place) => user.merge(inTeam(apiVersion, kind, "older", place), { spec }, dry);
};

/** The attacks on objects from the time before the policies. */
export const olderAttacks: readonly ApiAttack[] = [
  forgery("an older slice by hand, changed", olderAddress(slice)),
  forgery("older endpoints by hand, changed", olderAddress(endpoints)),
  ...olderKinds.map(([apiVersion, kind]) => ({
    ...forgery(`an older ${kind} of ${apiVersion}, changed`, olderChanged(apiVersion, kind, { own: true })),
    bare: true as const,
  })),
  forgery(
    "an older WorkloadEntry, changed",
    olderChanged("networking.istio.io/v1", "WorkloadEntry", { address: "10.96.0.1" }),
  ),
];

export const defaultDeny = (place: Place) =>
  inTeam("networking.k8s.io/v1", "NetworkPolicy", "drawbridge-default-deny", place);
export const role = (place: Place) =>
  inTeam("rbac.authorization.k8s.io/v1", "Role", "drawbridge-deployer", place);
const binding = (place: Place) =>
  inTeam("rbac.authorization.k8s.io/v1", "RoleBinding", "drawbridge-deployer", place);
export const quota = (place: Place) => inTeam("v1", "ResourceQuota", "team", place);
const limits = (place: Place) => inTeam("v1", "LimitRange", "team", place);

export const outsideHost = (place: Place) => inTeam("v1", "Service", "vm1", place);

const platform = [
  ["the default deny", defaultDeny, "deployer"],
  ["the deployer's role", role, "deployer"],
  ["its binding", binding, "deployer"],
  ["the quota", quota, "owner"],
  ["the limits", limits, "owner"],
  ["the host outside", outsideHost, "deployer"],
] as const;

const refusal = /belongs to the platform, by its label app\.kubernetes\.io\/component=team/;
const own = (object: (place: Place) => ApiObject) => (place: Place) => named(object(place), "own");
const theirLabel = { "app.kubernetes.io/component": "team" };

/** Something of the team's own of the same kind, made new. */
const ownTwin = (object: (place: Place) => ApiObject): Act => {
  return (user, place) => user.apply({ ...own(object)(place), ...contentOf(object(place)) }, dry);
};

function contentOf({ kind }: ApiObject): object {
  if (kind === "NetworkPolicy") return { spec: { podSelector: {} } };
  if (kind === "Role") return { rules: [] };
  if (kind === "ResourceQuota") return { spec: { hard: { pods: "1" } } };
  if (kind === "Service") {
    const ports = [{ name: "web", port: 80 }];
    // Without a selector it has addresses of both kinds everywhere, with one only where the cluster has both.
    return { spec: { clusterIP: "None", selector: { app: "own" }, ports, ipFamilyPolicy: "SingleStack" } };
  }
  if (kind === "LimitRange") return { spec: { limits: [] } };
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "drawbridge-deployer" };
  return { roleRef, subjects: [] };
}

const onPlatformObject = (
  name: string,
  who: "deployer" | "owner",
  object: (place: Place) => ApiObject,
  attempt: Act,
): ApiAttack => ({ name, policy: "team-platform", who, refusal, attempt, twin: ownTwin(object) });

const platformObjects: readonly ApiAttack[] = platform.flatMap(([what, object, who]): ApiAttack[] => {
  const attack = (name: string, attempt: Act) => onPlatformObject(name, who, object, attempt);
  const change = (metadata: object, content: (of: ApiObject) => object = () => ({})): Act => {
    return (user, place) => user.merge(object(place), { metadata, ...content(object(place)) }, dry);
  };
  return [
    attack(`${what}, removed`, (user, place) => user.remove(object(place), dry)),
    attack(`${what}, changed`, change({ annotations: { seen: "yes" } })),
    // With a content that a team may write: without the label another policy judges that.
    attack(
      `${what}, without its label`,
      change({ labels: { "app.kubernetes.io/component": null } }, contentOf),
    ),
    attack(`one more that looks like ${what}`, (user, place) => {
      const like = own(object)(place);
      const marked = { ...like, metadata: { ...like.metadata, labels: theirLabel } };
      return user.apply({ ...marked, ...contentOf(like) }, dry);
    }),
  ];
});

/** Without its slice a Service leads nowhere, and the team may not write another. */
const outsideAddresses = onPlatformObject(
  "the addresses of the host outside, removed",
  "owner",
  outsideHost,
  (user, place) => user.remove(inTeam("discovery.k8s.io/v1", "EndpointSlice", "vm1", place), dry),
);

export const namespaceObject = (name: string): ApiObject => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name },
});

const namespaceChange = (who: "owner" | "bystander", metadata: (place: Place) => object): Act => {
  return (user, place) => {
    const name = who === "owner" ? place.team : place.bystander;
    return user.merge(namespaceObject(name), { metadata: metadata(place) }, dry);
  };
};

const withoutIsolation = { labels: { "pod-security.kubernetes.io/enforce": "privileged" } };

const marks: readonly [string, "owner" | "bystander", (place: Place) => object][] = [
  ["the mark, removed", "owner", () => ({ labels: { "drawbridge.dev/team": null } })],
  ["the mark, changed", "owner", ({ victim }) => ({ labels: { "drawbridge.dev/team": victim } })],
  [
    "the mark, given to oneself",
    "bystander",
    ({ bystander }) => ({ labels: { "drawbridge.dev/team": bystander } }),
  ],
  ["Pod Security, lowered", "owner", () => withoutIsolation],
  ["Pod Security, removed", "owner", () => ({ labels: { "pod-security.kubernetes.io/enforce": null } })],
  [
    "private networks, allowed",
    "owner",
    () => ({ annotations: { "drawbridge.dev/egress-allow": "0.0.0.0/0" } }),
  ],
  ["a data plane of Istio's", "owner", () => ({ labels: { "istio.io/dataplane-mode": "ambient" } })],
  ["sidecars of Istio's", "owner", () => ({ labels: { "istio-injection": "enabled" } })],
  [
    "nodes for its pods",
    "owner",
    () => ({ annotations: { "scheduler.alpha.kubernetes.io/node-selector": "of=others" } }),
  ],
  [
    "an annotation of the cluster's, removed",
    "owner",
    () => ({ annotations: { "stage.k8s.io/note": null } }),
  ],
  ["another label of drawbridge's", "owner", () => ({ labels: { "drawbridge.dev/other": "x" } })],
  [
    "an annotation of drawbridge's, removed",
    "owner",
    () => ({ annotations: { "drawbridge.dev/egress-allow": null } }),
  ],
];

/** What some vendor's nodes, network, admission, cloud or mesh obeys in a Namespace. */
const ofVendors: readonly (readonly [key: string, where: "labels" | "annotations"])[] = [
  ["openshift.io/node-selector", "annotations"],
  ["openshift.io/sa.scc.uid-range", "annotations"],
  ["cni.projectcalico.org/ipv4pools", "annotations"],
  ["admission.gke.io/no-verify", "annotations"],
  ["iam.amazonaws.com/permitted", "annotations"],
  ["linkerd.io/inject", "annotations"],
  ["kubectl.kubernetes.io.example.com/a", "annotations"],
  ["argocd.argoproj.io/tracking-id", "annotations"],
  ["admission.gatekeeper.sh/ignore", "labels"],
  ["cert-manager.io/disable-validation", "labels"],
  ["field.cattle.io/projectId", "labels"],
  ["kubectl.kubernetes.io/a", "labels"],
  ["example.com/unheard-of", "labels"],
  ["control-plane", "labels"],
  ["name", "labels"],
];

const vendorMarks = [
  ...ofVendors.map(([key, where]): (typeof marks)[number] => [
    `${key}, set`,
    "owner",
    () => ({ [where]: { [key]: "x" } }),
  ]),
  ...["istio-injection", "control-plane", "name"].map((key): (typeof marks)[number] => [
    `${key}, removed`,
    "owner",
    () => ({ labels: { [key]: null } }),
  ]),
];
const lastingMarks: typeof marks = [
  ["something to wait for", "owner", () => ({ finalizers: ["example.com/never"] })],
  [
    "an owner, to go with it",
    "owner",
    () => ({ ownerReferences: [{ apiVersion: "v1", kind: "Node", name: "a", uid: "b" }] }),
  ],
];

const aNamespace = (what: string, who: "owner" | "bystander"): Omit<ApiAttack, "attempt"> => ({
  name: `the namespace: ${what}`,
  policy: "team-namespace",
  who,
  refusal: /of a team's namespace are the platform's to change/,
  twin: namespaceChange(who, () => ({
    labels: { purpose: "own" },
    annotations: { note: "own", "kubectl.kubernetes.io/note": "own" },
  })),
});

const namespaces: readonly ApiAttack[] = [...marks, ...vendorMarks, ...lastingMarks].map(
  ([what, who, metadata]) => ({ ...aNamespace(what, who), attempt: namespaceChange(who, metadata) }),
);

/** Attacks by subresources, which hold the same labels and numbers as the resource. */
const bySubresource: readonly ApiAttack[] = [
  ...byScale,
  ...(
    [
      ["Pod Security, lowered by its status", { metadata: withoutIsolation }],
      ["its status alone", { status: { conditions: [{ type: "Own", status: "True" }] } }],
    ] as const
  ).map(
    ([what, patch]): ApiAttack => ({
      ...aNamespace(what, "owner"),
      attempt: (user, { team }) =>
        user.merge(namespaceObject(team), patch, { ...dry, subresource: "status" }),
    }),
  ),
  {
    ...aNamespace("Pod Security, lowered by its finalizers", "owner"),
    attempt: (user, { team }) => {
      const { metadata, ...rest } = namespaceObject(team);
      const spec = { finalizers: ["kubernetes"] };
      return user.replace({ ...rest, metadata: { ...metadata, ...withoutIsolation }, spec }, "finalize", dry);
    },
  },
  ...(
    [
      ["without its label, by its status", { metadata: { labels: { "app.kubernetes.io/component": null } } }],
      ["raised by its status", { status: { hard: { pods: "999" } } }],
      ["forgotten by its status", { status: { used: { pods: "0" } } }],
    ] as const
  ).map(([what, patch]) =>
    forgery(
      `the quota, ${what}`,
      (user, place) => user.merge(quota(place), patch, { ...dry, subresource: "status" }),
      ownTwin(quota),
    ),
  ),
];

export const apiAttacks: readonly ApiAttack[] = [
  ...[
    ...routeAttacks,
    ...foreignGateways,
    ...istioAttacks,
    ...kubernetesAttacks,
    ...lastingAttacks,
    ...heavyAttacks,
  ].flatMap(attacksOf),
  ...forgedStatuses,
  ...bindings,
  ...platformObjects,
  outsideAddresses,
  ...namespaces,
  ...bySubresource,
];
