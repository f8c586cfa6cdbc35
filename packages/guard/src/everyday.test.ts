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
import { edited, today, whole } from "./sample.fixture.ts";

const bounds = parseBounds(
  { people: { alice: [alice], bob: [bob] }, networks: ["10.20.0.0/16"] },
  "bounds.yaml",
);

const accounts = { cullerServiceAccountName: "culler", activatorServiceAccountName: "activator" };
const sleeps = {
  access: { gateway: { ...gateway, idle: { namespace: "gw", ...accounts, gpuMetrics: false } } },
};
const second = (more: object = {}) =>
  edited("DevContainer", "dev2", undefined, { ...container, authorizedKeys: [bob], ...more });
const gpu = (product: string, count = 1) => ({ gpu: { count, product } });
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
  from: { name: "models", namespace: "team-a", claimName: "models-storage" },
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
  "a program beside": dev({ sidecars: [{ name: "db", image: "postgres:17" }] }),
  "other nodes": dev({ scheduling: { nodeSelector: { pool: "large" } } }),
  "a company network that is known": dev({ egress: { allow: [{ cidr: "10.20.5.0/24", ports: [5432] }] } }),
  "the next host key, announced": dev({
    hostKey: { seed: "[secret]", next: { seed: "[secret]", generation: 2 } },
  }),
  "a storage": storage(undefined, {}),
  "a storage in a container": [...storage({}, {}), ...dev({ storage: [{ ...models, readOnly: true }] })],
  "a reader of a storage": storage(browse("alice"), browse("alice", "bob")),
  "a colleague in a team": members(
    { viewers: { users: ["alice"] } },
    { viewers: { users: ["alice", "bob"] } },
  ),
  "a colleague over the Kubernetes API": members({}, { sshpod: { users: ["bob"] } }),
  "a team more": [...team(undefined, {}), ...edited("TeamPolicies", "teams", {}, {})],
  "a team's pipeline": team(
    { deployers: { groups: ["team-b"] } },
    {
      deployers: { groups: ["team-b"], serviceAccounts: [{ name: "ci", namespace: "team-b" }] },
    },
  ),
  "a third proxy of the gateway": gw({ replicas: 3 }),
  "fewer who reach the gateway": gw({ loadBalancer: { preset: "gke", sourceRanges: ["10.1.0.0/16"] } }),
  "an upgrade of the library": upgraded([...dev({}), ...gw({})]),
};

/** Kubernetes' kinds, and Istio's; Pulumi's readers see these in its own output. */
const kinds =
  /\b(StatefulSet|Deployment|ConfigMap|NetworkPolicy|PersistentVolumeClaim|RoleBinding|ClusterRole\w*|VirtualService|EnvoyFilter|AuthorizationPolicy|PodDisruptionBudget|EndpointSlice|ServiceAccount|ResourceQuota|LimitRange|ValidatingAdmission\w+)\b/;

const judged = Object.entries(pullRequests).map(([name, changes]) => {
  const verdict = judge(whole(changes), [], today, bounds);
  return { name, verdict, report: renderReport(changes, verdict) };
});

describe.each(judged)("$name", ({ verdict, report }) => {
  it("is daily work, in ten lines at most, in words of the arguments", () => {
    const { code, refused, unjudged } = verdict;
    expect({ code, refused, unjudged }).toEqual({ code: 0, refused: [], unjudged: [] });
    expect(report.split("\n").filter((line) => line !== "").length, report).toBeLessThanOrEqual(10);
    expect(report).not.toMatch(kinds);
  });
});

it("has reports that people read", async () => {
  expect(judged.length).toBeGreaterThanOrEqual(30);
  const text = judged.map(({ name, report }) => `# ${name}\n\n${report.trim()}\n`).join("\n\n");
  await expect(text).toMatchFileSnapshot("everyday-reports.txt");
});
