/**
 * Everyday pull requests: none is refused, and its report is short and in words of the arguments. The reports stand in
 * everyday-reports.txt, to be read; `-u` writes them again.
 */
import { describe, expect, it } from "vitest";
import { alice, bob, container, dev, gateway } from "./attacks.fixture.ts";
import { parseBounds } from "./bounds.ts";
import type { Change } from "./change.ts";
import { judge } from "./guard.ts";
import { renderReport } from "./report.ts";
import { change, edited, today, whole } from "./sample.fixture.ts";
import { type NamingStack, namingStacks } from "./stacks.ts";

const knownPeople = { people: { alice: [alice], bob: [bob] }, networks: ["10.20.0.0/16"] };

const accounts = { cullerServiceAccountName: "culler", activatorServiceAccountName: "activator" };
const sleeps = {
  access: { gateway: { ...gateway, idle: { namespace: "gw", ...accounts, gpuMetrics: false } } },
};
const second = (more: object = {}) =>
  edited("DevContainer", "dev2", undefined, { ...container, authorizedKeys: [bob], ...more });
const gpu = (product: string, count = 1) => ({ resources: { gpu: { count, product } } });
const ports = (...names: string[]) => ({ ports: names.map((name, index) => ({ name, port: 8080 + index })) });
const team = (was: object | undefined, is: object) =>
  edited("Team", "team-b", was && { ...was }, { deployers: { groups: ["team-b"] }, ...is });
const members = (was: object, is: object) =>
  edited("TeamMembers", "people", { namespace: "team-a", ...was }, { namespace: "team-a", ...is });
const platform = { domain: "dev.example.com", loadBalancer: { preset: "gke", sourceRanges: ["10.0.0.0/8"] } };
const gw = (more: object) => edited("SshGateway", "gw", platform, { ...platform, ...more });
const proxy = { name: "files", namespace: "files", address: "192.0.2.9" };
const reader = (user: string) => ({ user, password: "[secret]" });
const browse = (...users: string[]) => ({ browse: { proxy, credentials: users.map(reader) } });
const storage = (was: object | undefined, is: object) =>
  edited("StorageAccessor", "models", was && { namespace: "team-a", ...was }, { namespace: "team-a", ...is });
const models = {
  storage: { name: "models", namespace: "team-a", claimName: "models-storage" },
  mountPath: "/models",
};

/** The same arguments, and objects as an earlier version made them. */
function upgraded(changes: Change[]): Change[] {
  return changes.map((one) => {
    if (!one.isCustom) {
      const [before, after] = ["0.1.0", "0.2.0"].map((version, index) => ({
        ...[one.before, one.after][index],
        library: { version },
      }));
      return { ...one, op: "update", before, after };
    }
    if (!one.type.endsWith(":NetworkPolicy")) return one;
    const { metadata, ...inputs } = structuredClone(one.after) as {
      metadata: { labels: Record<string, string> };
    };
    metadata.labels["app.kubernetes.io/version"] = "earlier";
    return { ...one, op: "update", before: { ...inputs, metadata } };
  });
}

const pullRequests: Readonly<Record<string, readonly Change[]>> = {
  "a container more": [...dev({}), ...second()],
  "a container more, that sleeps": second({ ...sleeps, idle: {} }),
  "a container less": [...dev({}), ...edited("DevContainer", "dev2", container, undefined)],
  "more memory": dev({ resources: { memory: "16Gi" } }),
  "more processors": dev(
    { resources: { requests: { cpu: "4" } } },
    { resources: { requests: { cpu: "2" } } },
  ),
  "another key": dev({ authorizedKeys: [alice, bob] }),
  "a key less": dev({ authorizedKeys: [alice] }, { authorizedKeys: [alice, bob] }),
  "another image": dev({ image: "registry.example.com/image:2" }),
  "a larger GPU": dev(gpu("NVIDIA-H100-80GB-HBM3"), gpu("NVIDIA-A100-SXM4-80GB")),
  "a second GPU": dev(gpu("NVIDIA-A100-SXM4-80GB", 2), gpu("NVIDIA-A100-SXM4-80GB")),
  "a port by another name": dev(ports("web"), ports("http")),
  "a port more": dev(ports("web", "api"), ports("web")),
  "sleep when idle": dev({ ...sleeps, idle: {} }, sleeps),
  "a longer time before sleep": dev({ idle: { stopAfterSeconds: 14_400 } }, { ...sleeps, idle: {} }),
  "awake in working hours": dev(
    { idle: { keepAwake: [{ from: "08:00", until: "18:00", timeZone: "Europe/Berlin" }] } },
    { ...sleeps, idle: {} },
  ),
  "a larger home": dev({ home: { size: "40Gi" } }, { home: { size: "20Gi" } }),
  "a variable": dev({ env: { STAGE: "test" } }),
  "a secret variable": dev({ secretEnv: { GIT_TOKEN: "[secret]" } }),
  "a script at the start": dev({ startupScript: "#!/bin/sh\ngit clone https://git.example.com/dotfiles\n" }),
  "off over the holidays": dev({ running: false }),
  "on again": dev({ running: true }, { running: false }),
  "a program beside": dev({ pod: { sidecars: [{ name: "db", image: "postgres:17" }] } }),
  "other nodes": dev({ scheduling: { nodeSelector: { pool: "large" } } }),
  "a company network that is known": dev({ egress: { allow: [{ cidr: "10.20.5.0/24", ports: [5432] }] } }),
  "the next host key, announced": dev({
    hostKey: { seed: "[secret]", next: { seed: "[secret]", generation: 2 } },
  }),
  "a storage": storage(undefined, {}),
  "a storage in a container": [...storage({}, {}), ...dev({ mounts: [{ ...models, readOnly: true }] })],
  "a reader of a storage": storage(browse("alice"), browse("alice", "bob")),
  "a colleague in a team": members(
    { viewers: { users: ["alice"] } },
    { viewers: { users: ["alice", "bob"] } },
  ),
  "a colleague over the Kubernetes API": members({}, { sshpod: { users: ["bob"] } }),
  "a team more": [...team(undefined, {}), ...edited("TeamPolicies", "teams", {}, {})],
  "a team's pipeline": team(
    { deployers: { groups: ["team-b"] } },
    { deployers: { groups: ["team-b"], serviceAccounts: [{ name: "ci", namespace: "team-b" }] } },
  ),
  "a third proxy of the gateway": gw({ replicas: 3 }),
  "fewer who reach the gateway": gw({ loadBalancer: { preset: "gke", sourceRanges: ["10.1.0.0/16"] } }),
  "an upgrade of the library": upgraded([...dev({}), ...gw({})]),
};

/** In a program of one's own: one bounds line names the namespace, another the cloud's package. */
const metadata = (name: string, more: object = {}) => ({ metadata: { name, namespace: "app", ...more } });
const object = (kind: string, name: string, was: object | undefined, is: object | undefined, type?: string) =>
  change(kind, name, {
    op: was === undefined ? "create" : is === undefined ? "delete" : "update",
    before: was && { ...metadata(name), ...was },
    after: is && { ...metadata(name), ...is },
    ...(type !== undefined && { type }),
  });
const place = (labels: object = {}) => ({ metadata: { name: "app", labels } });
/** As everybody writes it: no securityContext, the default account. */
const pod = (more: object = {}, inContainer: object = {}) => ({
  containers: [{ name: "app", image: "nginx:1", ...inContainer }],
  ...more,
});
const deployment = (more?: object, inContainer?: object) => ({
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: "web" } },
    template: { spec: pod(more, inContainer) },
  },
});
const inApp = (more: object = {}, before?: object) =>
  edited(
    "DevContainer",
    "dev1",
    { ...container, namespace: "app", ...before },
    { ...container, namespace: "app", ...more },
  );
const settings = { data: { STAGE: "test" } };
const database = { type: "Opaque", data: "[secret]" };
const ownObjects: Readonly<Record<string, readonly Change[]>> = {
  "a namespace, settings and a deployment of one's own": [
    change("Namespace", "app", { op: "create", before: undefined, after: place() }),
    object("ConfigMap", "settings", undefined, settings),
    object("Deployment", "web", undefined, deployment()),
    ...edited("DevContainer", "dev1", undefined, { ...container, namespace: "app" }),
  ],
  "a deployment's next image": [
    ...inApp(),
    object("Deployment", "web", deployment(), deployment({}, { image: "nginx:2" })),
  ],
  "a Service of one's own pods": [
    ...inApp(),
    object("Service", "web", undefined, { spec: { selector: { app: "web" }, ports: [{ port: 80 }] } }),
  ],
  "a Secret of one's own in a container": [
    object("Secret", "database", undefined, database),
    ...inApp({ envFrom: [{ secretRef: { name: "database" } }] }),
  ],
  "a Secret that people put there in a container": inApp({
    mounts: [{ secretName: "git", mountPath: "/secrets/git" }],
  }),
  "a database with a volume": [
    ...inApp(),
    object("StatefulSet", "db", undefined, {
      spec: {
        ...deployment(
          { securityContext: { fsGroup: 999 } },
          { image: "postgres:17", ports: [{ containerPort: 5432 }] },
        ).spec,
        serviceName: "db",
        volumeClaimTemplates: [
          { metadata: { name: "data" }, spec: { resources: { requests: { storage: "1Gi" } } } },
        ],
      },
    }),
  ],
  "a job every night": [
    ...inApp(),
    object(
      "CronJob",
      "backup",
      undefined,
      {
        spec: {
          schedule: "0 3 * * *",
          jobTemplate: {
            spec: {
              template: {
                spec: pod({ restartPolicy: "Never" }, { envFrom: [{ configMapRef: { name: "settings" } }] }),
              },
            },
          },
        },
      },
      "kubernetes:batch/v1:CronJob",
    ),
  ],
  "more pods under load, on GPU nodes": [
    ...inApp(),
    object(
      "Deployment",
      "web",
      deployment(),
      deployment({ tolerations: [{ key: "nvidia.com/gpu", operator: "Exists" }] }),
    ),
    object(
      "HorizontalPodAutoscaler",
      "web",
      undefined,
      {
        spec: { maxReplicas: 4, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" } },
      },
      "kubernetes:autoscaling/v2:HorizontalPodAutoscaler",
    ),
  ],
  "a bucket in the cloud": [
    ...inApp(),
    object("Bucket", "artifacts", undefined, { tags: { team: "a" } }, "aws:s3/bucketV2:BucketV2"),
  ],
  "settings and a deployment less": [
    ...inApp(),
    object("ConfigMap", "settings", settings, undefined),
    object("Deployment", "web", deployment(), undefined),
  ],
};

/** Over two stacks, as the starter ships: the platform makes the team's namespace, whose file says that it is there. */
const of = (stack: string, changes: readonly Change[]) =>
  changes.map((one) => ({
    ...one,
    urn: one.urn.replace("pulumi:stack::", `pulumi:${stack}::`),
    ...(one.parent && { parent: one.parent.replace("pulumi:stack::", `pulumi:${stack}::`) }),
  }));
const ofTeam = (changes: readonly Change[]) => of("team-a", changes);
const shared = (changes: readonly Change[]) =>
  of("platform", [
    ...edited("SshGateway", "ssh-ingress", platform, platform).filter(
      ({ urn }) => !changes.some((one) => one.urn === urn),
    ),
    ...changes,
  ]);
const teams = { deployers: { groups: ["team-a-deployers"] } };
const teamSettings = object("ConfigMap", "settings", undefined, settings);
const inTeam = (one: Change): Change => ({
  ...one,
  after: one.after && { ...one.after, metadata: { name: one.name, namespace: "team-a" } },
});
const people = (keys: object) => ({ people: keys });
const twoStacks: Readonly<Record<string, readonly Change[]>> = {
  "team: a container more": ofTeam([...dev({}), ...second()]),
  "team: settings of its own in a container": ofTeam([
    inTeam(teamSettings),
    ...dev({ envFrom: [{ configMapRef: { name: "settings" } }] }),
  ]),
  "team: a Secret that people put there in a container": ofTeam(
    dev({ mounts: [{ secretName: "git", mountPath: "/secrets/git" }] }),
  ),
  "team: a registry's password": ofTeam(dev({ pod: { imagePullSecrets: ["registry"] } })),
  "team: a volume with data sets": ofTeam(
    dev({ mounts: [{ claimName: "datasets", mountPath: "/data", readOnly: true }] }),
  ),
  "team: the home of a container that went": ofTeam([
    ...dev({}),
    ...edited("DevContainer", "dev2", undefined, { ...container, home: { claimName: "older-home" } }),
  ]),
  "platform: a team more": shared([
    ...edited("Team", "team-b", undefined, teams),
    ...edited("Team", "team-a", teams, teams),
  ]),
  "platform: a smaller quota": shared(
    edited("Team", "team-a", { ...teams, quota: { pods: "40" } }, { ...teams, quota: { pods: "30" } }),
  ),
  "platform: another deployer": shared(
    edited("Team", "team-a", teams, { deployers: { groups: ["team-a-deployers", "ci"] } }),
  ),
  "platform: a third proxy": shared([...edited("Team", "team-a", teams, teams), ...gw({ replicas: 3 })]),
  "platform: a colleague": shared([
    {
      ...change("People", "people", { type: "drawbridge:stacks:People", isCustom: false }),
      before: people({ alice: { keys: [alice] } }),
      after: people({ alice: { keys: [alice] }, bob: { keys: [bob] } }),
    },
  ]),
};

/** Kubernetes' kinds, and Istio's; Pulumi's readers see these in its own output. */
const kinds =
  /\b(StatefulSet|Deployment|ConfigMap|NetworkPolicy|PersistentVolumeClaim|RoleBinding|ClusterRole\w*|VirtualService|EnvoyFilter|AuthorizationPolicy|PodDisruptionBudget|EndpointSlice|ServiceAccount|ResourceQuota|LimitRange|ValidatingAdmission\w+)\b/;

const starter = await namingStacks("starter");
const judgedBy = (
  all: Readonly<Record<string, readonly Change[]>>,
  more: object,
  stacks?: readonly NamingStack[],
) =>
  Object.entries(all).map(([name, changes]) => {
    const known = parseBounds({ ...knownPeople, ...more }, "bounds.yaml");
    const verdict = judge(whole(changes), [], today, known, [], stacks);
    return { name, verdict, report: renderReport(changes, verdict, { stacks }), isOwn: all === ownObjects };
  });
const judged = [
  ...judgedBy(pullRequests, {}),
  ...judgedBy(ownObjects, { namespaces: ["app"], packages: ["aws"] }),
  ...judgedBy(twoStacks, {}, starter),
];

describe.each(judged)("$name", ({ verdict, report, isOwn }) => {
  it("is daily work, in ten lines at most, in words of the arguments", () => {
    const { code, refused, unjudged } = verdict;
    expect({ code, refused, unjudged }).toEqual({ code: 0, refused: [], unjudged: [] });
    expect(report.split("\n").filter((line) => line !== "").length, report).toBeLessThanOrEqual(
      isOwn ? 16 : 10,
    );
    // One's own objects are named as one wrote them.
    if (!isOwn) expect(report.replace("ConfigMap settings", "")).not.toMatch(kinds);
  });
});

it("has reports that people read", async () => {
  for (const some of [pullRequests, ownObjects, twoStacks])
    expect(Object.keys(some).length).toBeGreaterThanOrEqual(10);
  const text = judged.map(({ name, report }) => `# ${name}\n\n${report.trim()}\n`).join("\n\n");
  await expect(text).toMatchFileSnapshot("everyday-reports.txt");
});
