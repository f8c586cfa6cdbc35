/** On a cluster: each rule refuses a change once for real, and lets it through when it is accepted. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findingNames } from "../../packages/preview-guard/src/index.ts";
import { testStack } from "../support/engine/engine.ts";
import { acceptanceFile, guard, previewJson } from "../support/engine/guard.ts";
import { kubectl } from "../support/lab/lab.ts";

const namespace = "guard-rules";
const alice = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice";
const bob = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIP3TcP/v/rkBFKgLWYo7EA03cRWd3p9llb7pjptlfgB bob";
const skipAwait = { "pulumi.com/skipAwait": "true" };

type Register = (name: string, opts: pulumi.CustomResourceOptions) => void;
interface Danger {
  /** Undefined where the object is not there. */
  readonly before?: Register;
  readonly after?: Register;
  readonly code: 1 | 2;
}

const object =
  (
    Kind: new (name: string, args: never, opts: pulumi.CustomResourceOptions) => unknown,
    inputs: object,
    annotations: object = {},
  ): Register =>
  (name, opts) => {
    new Kind(
      name,
      { metadata: { name, namespace, annotations: { ...skipAwait, ...annotations } }, ...inputs } as never,
      opts,
    );
  };
/** An object of Istio's. */
const custom =
  (apiVersion: string, kind: string, spec: object): Register =>
  (name, opts) => {
    new k8s.apiextensions.CustomResource(
      name,
      { apiVersion, kind, metadata: { name, namespace }, spec },
      opts,
    );
  };
/** Inside a component of ours, by whose name rules know what an object is for. */
const inside =
  (type: string, args: object, ...children: readonly [suffix: string, make: Register][]): Register =>
  (name, opts) => {
    const parent = new pulumi.ComponentResource(`drawbridge:index:${type}`, name, args, opts);
    for (const [suffix, make] of children) make(`${name}-${suffix}`, { ...opts, parent });
  };

const selector = { app: "nobody" };
const pod = (spec: object, container: object = {}) => ({
  spec: {
    replicas: 0,
    selector: { matchLabels: selector },
    template: {
      metadata: { labels: selector },
      spec: {
        automountServiceAccountToken: false,
        containers: [{ name: "main", image: "example.com/none:1", ...container }],
        ...spec,
      },
    },
  },
});
const wall = (...egress: object[]) => ({
  spec: { podSelector: { matchLabels: selector }, policyTypes: ["Ingress", "Egress"], egress },
});
const claim = (spec: object = {}) => ({
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
});
const port = { ports: [{ name: "http", port: 80 }] };
const route = (headers: object, rest: object = {}) => ({
  hosts: [`x.${namespace}.svc.cluster.local`],
  gateways: [`${namespace}/none`],
  exportTo: ["."],
  http: [
    {
      ...rest,
      match: [{ authority: { regex: "x" }, ...headers }],
      route: [{ destination: { host: `x.${namespace}.svc.cluster.local`, port: { number: 80 } } }],
    },
  ],
});
const certificate = {
  headers: { "x-forwarded-client-cert": { regex: "Hash=[0-9a-f]+;URI=(spiffe://a/b)(;.*)?" } },
};
const keys = (data: object) => object(k8s.core.v1.ConfigMap, { data });
const subjects = (name: pulumi.Input<string>) => ({
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
  subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name }],
});
const storage = (write: boolean) =>
  inside("StorageAccessor", { browse: { credentials: [{ user: "alice", password: "x", write }] } });
const policy: Register = (name, opts) => {
  new k8s.admissionregistration.v1.ValidatingAdmissionPolicy(
    name,
    {
      metadata: { name: `${namespace}-policy` },
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: ["example.com"], apiVersions: ["*"], operations: ["CREATE"], resources: ["things"] },
          ],
        },
        validations: [{ expression: "true" }],
      },
    },
    opts,
  );
};
const space =
  (level: string): Register =>
  (name, opts) => {
    const labels = { "pod-security.kubernetes.io/enforce": level };
    new k8s.core.v1.Namespace(name, { metadata: { name: `${namespace}-other`, labels } }, opts);
  };
const hostKey = (publicKey: string) =>
  inside("DevContainer", {}, [
    "host-key",
    object(
      k8s.core.v1.Secret,
      { stringData: { key: publicKey } },
      { "drawbridge.dev/public-keys": publicKey },
    ),
  ]);
const gateway = (host: string) =>
  inside("SshGateway", {}, [
    "listeners",
    custom("networking.istio.io/v1", "Gateway", {
      selector,
      servers: [{ port: { number: 80, name: host, protocol: "HTTP" }, hosts: ["*/x.example.com"] }],
    }),
  ]);

const dangers: Readonly<Record<string, Danger>> = {
  "network-wall": {
    before: object(k8s.networking.v1.NetworkPolicy, wall()),
    after: object(k8s.networking.v1.NetworkPolicy, wall({ to: [{ ipBlock: { cidr: "10.0.0.0/8" } }] })),
    code: 1,
  },
  "cluster-rights": {
    before: object(k8s.rbac.v1.Role, { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] }),
    after: object(k8s.rbac.v1.Role, { rules: [{ apiGroups: [""], resources: ["*"], verbs: ["get"] }] }),
    code: 1,
  },
  "pod-privileges": {
    before: object(k8s.apps.v1.Deployment, pod({})),
    after: object(k8s.apps.v1.Deployment, pod({ automountServiceAccountToken: true })),
    code: 1,
  },
  "image-not-pinned": {
    before: object(k8s.apps.v1.Deployment, pod({})),
    after: object(k8s.apps.v1.Deployment, pod({}, { image: "example.com/none:latest" })),
    code: 1,
  },
  "route-wall": {
    before: object(k8s.core.v1.Service, { spec: { clusterIP: "None", selector, ...port } }),
    after: object(k8s.core.v1.Service, {
      spec: { clusterIP: "None", selector, externalIPs: ["192.0.2.1"], ...port },
    }),
    code: 1,
  },
  "gateway-opened": {
    before: object(k8s.core.v1.Service, { spec: { selector, ...port } }),
    after: object(k8s.core.v1.Service, { spec: { type: "NodePort", selector, ...port } }),
    code: 1,
  },
  "load-balancer-replaced": {
    before: object(k8s.core.v1.Service, { spec: { type: "LoadBalancer", selector, ...port } }),
    code: 1,
  },
  "certificate-dropped": {
    before: custom("networking.istio.io/v1", "VirtualService", route(certificate)),
    after: custom("networking.istio.io/v1", "VirtualService", route({})),
    code: 1,
  },
  "foreign-ca": {
    before: keys({ authorized_keys: alice }),
    after: keys({ authorized_keys: alice, user_ca_keys: bob, principals: "dev" }),
    code: 1,
  },
  "unnamed-key": {
    before: keys({ authorized_keys: alice }),
    after: keys({ authorized_keys: `${alice}\n${bob}` }),
    code: 1,
  },
  "last-key-removed": {
    before: inside("DevContainer", {}, ["authorized-keys", keys({ authorized_keys: alice })]),
    after: inside("DevContainer", {}, ["authorized-keys", keys({ authorized_keys: "" })]),
    code: 1,
  },
  "login-weakened": {
    before: keys({ sshd_config: "PermitRootLogin no\n" }),
    after: keys({ sshd_config: "PermitRootLogin yes\n" }),
    code: 1,
  },
  "host-key-lost": { before: hostKey(alice), after: hostKey(bob), code: 1 },
  "write-credential": { before: storage(false), after: storage(true), code: 1 },
  "pod-security-lowered": { before: space("restricted"), after: space("baseline"), code: 1 },
  "wall-removed": { before: policy, code: 1 },
  "ssh-listener-changed": { before: gateway("http-a"), after: gateway("http-b"), code: 1 },
  "volume-lost": { before: object(k8s.core.v1.PersistentVolumeClaim, claim()), code: 1 },
  "volume-borrowed": {
    after: object(k8s.core.v1.PersistentVolumeClaim, claim({ volumeName: "somebodys" })),
    code: 1,
  },
  "volume-left-behind": {
    before: inside("DevContainer", {}, [
      "home",
      (name, opts) =>
        object(k8s.core.v1.PersistentVolumeClaim, claim())(name, { ...opts, retainOnDelete: true }),
    ]),
    after: (name, opts) =>
      inside("DevContainer", {}, ["home", object(k8s.core.v1.PersistentVolumeClaim, claim())])(
        `${name}-2`,
        opts,
      ),
    code: 1,
  },
  "volume-shrunk": {
    before: object(k8s.core.v1.PersistentVolumeClaim, claim({ resources: { requests: { storage: "2Gi" } } })),
    after: object(k8s.core.v1.PersistentVolumeClaim, claim()),
    code: 1,
  },
  "unknown-field": {
    before: custom("networking.istio.io/v1", "VirtualService", route({})),
    after: custom("networking.istio.io/v1", "VirtualService", route({}, { rewrite: { uri: "/" } })),
    code: 2,
  },
  "unknown-kind": {
    after: custom("networking.istio.io/v1", "ServiceEntry", {
      hosts: ["outside.example.com"],
      ports: [{ number: 443, name: "tls", protocol: "TLS" }],
      resolution: "DNS",
    }),
    code: 2,
  },
  "unknown-value": {
    before: object(k8s.rbac.v1.RoleBinding, subjects("alice")),
    after: (name, opts) => {
      const made = new k8s.core.v1.ConfigMap(`${name}-made`, { metadata: { namespace }, data: {} }, opts);
      object(k8s.rbac.v1.RoleBinding, subjects(made.id))(name, opts);
    },
    code: 2,
  },
};

/** Kubernetes refuses this one itself, so a preview that asks the cluster fails; the engine's tests have it without one. */
const refused = "volume-shrunk";

/** Rules whose change has become real. */
let changed: readonly string[] = [];
let stack: Stack;
let removeState: () => Promise<void>;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawbridge-guard-lab-"));
  await writeFile(join(folder, "bounds.yaml"), `people:\n  alice: [${JSON.stringify(alice)}]\n`);
  await kubectl(["create", "namespace", namespace]);
  ({ stack, removeState } = await testStack(async () => {
    const provider = new k8s.Provider("cluster", { enableConfigMapMutable: true, enableSecretMutable: true });
    for (const [rule, { before, after }] of Object.entries(dangers)) {
      (changed.includes(rule) ? after : before)?.(rule, { provider });
    }
    return {};
  }));
  await stack.up();
});

afterAll(async () => {
  await stack.destroy();
  await removeState();
  await kubectl(["delete", "namespace", namespace, "--wait=false"]);
  await rm(folder, { recursive: true, force: true });
});

/** Who has keys is asked only where it is the question. */
function options(rule: string): string[] {
  return rule === "unnamed-key" ? ["--bounds", join(folder, "bounds.yaml")] : [];
}

describe("on a cluster", () => {
  it("nothing changes, and nothing is refused", async () => {
    const { code, report } = await guard(await previewJson(stack));
    expect({ code, report }).toEqual({ code: 0, report: "## drawbridge: nothing dangerous\n\nNo change.\n" });
  });

  it.each(Object.entries(dangers).filter(([rule]) => rule !== refused))(
    "%s stops its change, and lets it through when it is accepted",
    async (rule, { code }) => {
      changed = [rule];
      const preview = await previewJson(stack);
      const found = await guard(preview, ...options(rule));
      const rules = [...found.report.matchAll(/^- \[\*\*([a-z-]+)\*\*\]/gm)].map(([, name]) => name);
      expect({ code: found.code, rules: [...new Set(rules)] }).toEqual({ code, rules: [rule] });
      const accepted = await guard(
        preview,
        ...options(rule),
        "--accept-file",
        await acceptanceFile(found.report, [rule], folder),
      );
      expect({ code: accepted.code, title: accepted.report.split("\n")[0] }).toEqual({
        code: 0,
        title: "## drawbridge: nothing dangerous",
      });
    },
  );

  it("a smaller claim is refused by Kubernetes, when it is previewed already", async () => {
    changed = [refused];
    await expect(previewJson(stack)).rejects.toThrow(/volume-shrunk[\s\S]*Forbidden/);
  });

  it("the rules above are all that there are", () => {
    expect(Object.keys(dangers).sort()).toEqual(Object.keys(findingNames).sort());
  });

  it("all that was accepted can be brought up, but for what Kubernetes refuses", async () => {
    changed = Object.keys(dangers).filter((rule) => rule !== refused);
    const preview = await previewJson(stack);
    const found = await guard(preview, ...options("unnamed-key"));
    expect(found.code).toBe(2);
    const file = await acceptanceFile(found.report, changed, folder);
    expect((await guard(preview, ...options("unnamed-key"), "--accept-file", file)).code).toBe(0);
    expect((await stack.up()).summary.result).toBe("succeeded");
    changed = Object.keys(dangers);
    await expect(stack.up()).rejects.toThrow(/volume-shrunk[\s\S]*(Forbidden|Invalid)/);
  });
});
