/** Objects of someone who has all rights in a namespace of his own, and whatever he likes in them. */
import fc from "fast-check";
import { type Path, pathsOf, replaced } from "../../../packages/controllers/src/others.fixture.ts";
import { kubectl, run } from "../../../scripts/lib/lab/lab.ts";
import { handToNeighbour } from "../../../scripts/lib/stacks/deployer.ts";
import { type Fault, nothing } from "../fault.ts";
import { frpServer, gateway } from "../teams.ts";

const namespace = "drill-foe";
const foe = ["--as=foe", "--as-group=system:authenticated"];
/** In each injection; the API server takes about one of six. */
const count = 60;

const labels = {
  "app.kubernetes.io/component": "dev-container",
  "app.kubernetes.io/instance": "foe",
  "app.kubernetes.io/managed-by": "drawbridge",
};
const networking = "networking.istio.io/v1";
const own = `foe.${namespace}.svc.cluster.local`;
const http = {
  name: "ssh-connect",
  match: [{ authority: { regex: "[^:]+:22" } }],
  retries: { attempts: 0 },
  route: [{ destination: { host: own, port: { number: 22 } } }],
};
const template = {
  metadata: { labels },
  spec: { containers: [{ name: "dev", image: "registry.example.com/none:1" }] },
};

/** What programs that all share read, route or judge, each as a container of ours has it. */
const kinds: readonly object[] = [
  {
    apiVersion: networking,
    kind: "VirtualService",
    spec: { hosts: [own], gateways: [`${gateway}/${gateway}`], exportTo: [gateway], http: [http] },
  },
  {
    apiVersion: networking,
    kind: "DestinationRule",
    spec: { host: own, subsets: [{ name: "a", labels: { a: "b" } }] },
  },
  {
    apiVersion: networking,
    kind: "ServiceEntry",
    spec: {
      hosts: ["db.example.org"],
      exportTo: ["."],
      ports: [{ number: 80, name: "http", protocol: "HTTP" }],
      resolution: "DNS",
    },
  },
  { apiVersion: networking, kind: "Sidecar", spec: { egress: [{ hosts: ["./*"] }] } },
  {
    apiVersion: networking,
    kind: "Gateway",
    spec: {
      selector: { app: "foe" },
      servers: [{ port: { number: 80, name: "http", protocol: "HTTP" }, hosts: ["*"] }],
    },
  },
  {
    apiVersion: "networking.istio.io/v1alpha3",
    kind: "EnvoyFilter",
    spec: { workloadSelector: { labels: { app: "foe" } }, configPatches: [] },
  },
  {
    apiVersion: "v1",
    kind: "Service",
    spec: { selector: labels, clusterIP: "None", ports: [{ name: "ssh", port: 22 }] },
  },
  {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { annotations: { "drawbridge.dev/idle": '{"stopAfterSeconds":600}' } },
    spec: { replicas: 0, serviceName: "foe", selector: { matchLabels: labels }, template },
  },
  { apiVersion: "v1", kind: "ConfigMap", data: { tokenSha256: "0".repeat(64), clientDomain: "foe" } },
  {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { labels: { "kubernetes.io/service-name": "foe" } },
    addressType: "IPv4",
    endpoints: [],
    ports: [],
  },
  {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    spec: { podSelector: {}, policyTypes: ["Egress"], egress: [] },
  },
  {
    apiVersion: "v1",
    kind: "ResourceQuota",
    spec: { hard: { "count/endpointslices.discovery.k8s.io": "0" } },
  },
];

const names = kinds.map((object) => (object as { kind: string }).kind.toLowerCase());
const strings = [
  "",
  "null",
  "*",
  "{}",
  "x".repeat(200_000),
  "\\p{Letter}+:22",
  "[^:]{1000}",
  own,
  "9999-12-31T23:59:59Z",
];
const string = fc.oneof(fc.constantFrom(...strings), fc.string(), fc.json());
const number = fc.oneof(fc.constantFrom(0, -1, 1, 65_535, 2 ** 31 - 1), fc.nat());

/** Mostly of the same type, so that the API server takes it. */
const insteadOf = (value: unknown): fc.Arbitrary<unknown> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary:
        typeof value === "string"
          ? string
          : typeof value === "number"
            ? number
            : fc.dictionary(string, string, { maxKeys: 3 }),
    },
    { weight: 1, arbitrary: fc.oneof(fc.constant(null), fc.jsonValue({ maxDepth: 2 })) },
  );
const at = (object: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown>)[key], object);

/** An object of some kind with something else somewhere in it. */
const hostile = fc.constantFrom(...kinds).chain((object) => {
  const inner = pathsOf(object).filter(
    ([top, ...more]) =>
      top !== undefined && top !== "apiVersion" && top !== "kind" && (top !== "metadata" || more.length > 1),
  );
  return fc
    .constantFrom(...inner)
    .chain((path) =>
      fc.record({
        made: insteadOf(at(object, path)).map(
          (value) => replaced(object, path, value) as { metadata?: object },
        ),
        name: fc.constantFrom("foe", "foe-2", "foe-ssh", frpServer),
      }),
    )
    .map(({ made, name }) => ({ ...made, metadata: { labels, ...made.metadata, name, namespace } }));
});

async function allRights(): Promise<void> {
  await handToNeighbour(namespace);
  const rights = { apiVersion: "rbac.authorization.k8s.io/v1", metadata: { name: "foe", namespace } };
  const items = [
    { ...rights, kind: "Role", rules: [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }] },
    {
      ...rights,
      kind: "RoleBinding",
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "foe" },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "foe" }],
    },
  ];
  await kubectl(["apply", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items }));
}

export const objects: readonly Fault[] = [
  {
    name: "hostile-objects",
    lasts: [5, 20],
    async inject(pick) {
      await allRights();
      const made = fc.sample(hostile, { seed: Math.floor(pick * 2 ** 31), numRuns: count });
      const list = { apiVersion: "v1", kind: "List", items: made };
      const apply = [...foe, "apply", "--server-side", "--force-conflicts", "--validate=ignore", "-f", "-"];
      const { stdout } = await run("kubectl", apply, { input: JSON.stringify(list), timeoutSeconds: 120 });
      const taken = stdout.split("serverside-applied").length - 1;
      if (taken === 0) throw new Error("the API server took none of them");
      const heal = async () => {
        await kubectl(["-n", namespace, "delete", names.join(","), "--all", "--wait=false"]);
      };
      return { target: `${count} objects, of which ${taken} were taken`, mayEnd: nothing, heal };
    },
  },
];
