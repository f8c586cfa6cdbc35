/**
 * The Kubernetes provider under the real Pulumi engine, against a real API server. What is asserted here holds for the
 * official provider and for the stand-in, so that the other tests mean the same with either.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { testStack } from "../support/engine.ts";

let api: ApiServer;
beforeAll(async () => {
  api = await startApiServer();
});
afterAll(() => api.stop());

/** A stack on the API server, in a namespace of its own. What it leaves ends with the API server. */
async function stackIn(namespace: string, program: PulumiFn, kubeconfig = api.kubeconfigs.admin) {
  await api.kubectl(["create", "namespace", namespace]);
  const made = await testStack(program, { env: { KUBECONFIG: kubeconfig } });
  onTestFinished(() => made.removeState());
  return made;
}

async function get(namespace: string, object: string, path: string): Promise<string> {
  return api.kubectl(["-n", namespace, "get", object, "-o", `jsonpath=${path}`]);
}

test("objects are made, changed in place, and what the program drops goes", async () => {
  const service = (spec: k8s.types.input.core.v1.ServiceSpec) => async () => {
    new k8s.core.v1.Service("svc", { metadata: { name: "svc", namespace: "lifecycle" }, spec });
  };
  const ports = [{ name: "ssh-22", port: 22 }];
  const { stack, setProgram } = await stackIn(
    "lifecycle",
    service({ clusterIP: "None", ports, sessionAffinity: "ClientIP" }),
  );

  const preview = await stack.preview();
  expect(preview.changeSummary).toEqual({ create: 2 });
  expect((await stack.up()).summary.resourceChanges).toEqual({ create: 2 });
  expect((await stack.preview()).changeSummary).toEqual({ same: 2 });

  await api.kubectl(["-n", "lifecycle", "label", "service", "svc", "by=hand"]);
  await api.kubectl(["-n", "lifecycle", "label", "service", "svc", "by-tool=x", "--field-manager=tool"]);
  setProgram(service({ clusterIP: "None", ports: [{ name: "ssh-2222", port: 2222 }] }));
  expect((await stack.preview()).changeSummary).toEqual({ same: 1, update: 1 });
  expect((await stack.up()).summary.resourceChanges).toEqual({ same: 1, update: 1 });
  expect(
    await get("lifecycle", "service/svc", "{.spec.ports[*].port} {.spec.sessionAffinity} {.metadata.labels}"),
  ).toBe('2222 None {"by-tool":"x"}');
  expect(
    await get("lifecycle", "service/svc", '{.metadata.managedFields[?(@.operation=="Apply")].manager}'),
  ).toMatch(/^pulumi-kubernetes-[0-9a-f]{8}$/);

  await stack.destroy();
  await expect(get("lifecycle", "service/svc", "{}")).rejects.toThrow('services "svc" not found');
});

test("an object that exists is refused, and taken over by import unless that would replace it", async () => {
  const program = (label: string, value: string, opts?: pulumi.CustomResourceOptions) => async () => {
    const metadata = { name: "there", namespace: "exists", labels: { label } };
    new k8s.core.v1.ConfigMap("cm", { metadata, data: { value } }, opts);
  };
  const { stack, setProgram } = await stackIn("exists", program("a", "1"));
  await api.kubectl(["-n", "exists", "create", "configmap", "there", "--from-literal=value=1"]);
  await api.kubectl(["-n", "exists", "label", "configmap", "there", "label=theirs"]);
  const uid = await get("exists", "configmap/there", "{.metadata.uid}");

  expect((await stack.preview()).changeSummary).toEqual({ create: 2 });
  await expect(stack.up()).rejects.toThrow('configmaps "there" already exists');

  const taken = { import: "exists/there" };
  setProgram(program("ours", "2", taken));
  const refused = await stack.preview();
  expect(refused.changeSummary).toEqual({ import: 1, replace: 1, same: 1 });
  expect(refused.stdout).toContain(
    "previously-imported resources that still specify an ID may not be replaced",
  );
  setProgram(program("ours", "1", taken));
  expect((await stack.up()).summary.resourceChanges).toEqual({ import: 1, same: 1, update: 1 });
  expect(await get("exists", "configmap/there", "{.metadata.uid} {.metadata.labels.label}")).toBe(
    `${uid} ours`,
  );
});

test("an object that exists is taken over by a create where the settings say so, and nothing of it changes", async () => {
  const program = (data: Record<string, string>) => async () => {
    const provider = new k8s.Provider("cluster", { enableConfigMapMutable: true });
    new k8s.core.v1.ConfigMap("cm", { metadata: { name: "there", namespace: "upsert" }, data }, { provider });
  };
  const lost = await stackIn("upsert", program({ a: "1", b: "2" }));
  await lost.stack.up();
  const stamp = () => get("upsert", "configmap/there", "{.metadata.uid} {.metadata.resourceVersion} {.data}");
  const before = await stamp();

  const found = await testStack(program({ a: "1", b: "2" }), { env: { KUBECONFIG: api.kubeconfigs.admin } });
  onTestFinished(() => found.removeState());
  await expect(found.stack.up()).rejects.toThrow('configmaps "there" already exists');
  found.stack.workspace.envVars.PULUMI_K8S_UPSERT_EXISTING_OBJECTS = "true";
  expect((await found.stack.up()).summary.resourceChanges).toMatchObject({ create: 1 });
  const [uid, , data] = (await stamp()).split(" ");
  expect([uid, data]).toEqual([before.split(" ")[0], before.split(" ")[2]]);

  delete found.stack.workspace.envVars.PULUMI_K8S_UPSERT_EXISTING_OBJECTS;
  found.setProgram(program({ a: "3" }));
  await found.stack.up();
  expect((await found.stack.preview()).changeSummary).toEqual({ same: 3 });
  expect(await get("upsert", "configmap/there", "{.data}")).toBe('{"a":"3"}');
});

test("data of a ConfigMap is replaced: under a new name, or after the old one went", async () => {
  const program = (value: string) => async () => {
    const named = { name: "fixed", namespace: "replace" };
    const free = new k8s.core.v1.ConfigMap("free", { metadata: { namespace: "replace" }, data: { value } });
    new k8s.core.v1.ConfigMap("fixed", { metadata: named, data: { value } });
    return { free: free.metadata.name };
  };
  const { stack, setProgram } = await stackIn("replace", program("1"));
  const first = await stack.up();
  expect(first.outputs.free?.value).toMatch(/^free-[0-9a-f]{8}$/);
  const uid = await get("replace", "configmap/fixed", "{.metadata.uid}");

  setProgram(program("2"));
  const second = await stack.up();
  expect(second.summary.resourceChanges).toEqual({ replace: 2, same: 1 });
  expect(second.outputs.free?.value).not.toBe(first.outputs.free?.value);
  expect(await get("replace", "configmap/fixed", "{.data.value}")).toBe("2");
  expect(await get("replace", "configmap/fixed", "{.metadata.uid}")).not.toBe(uid);
  const left = await get("replace", "configmaps", "{.items[*].metadata.name}");
  expect(left.split(" ").sort()).toEqual(["fixed", "kube-root-ca.crt", second.outputs.free?.value].sort());
});

test("a refresh sees what was changed and what was deleted, and an update mends it", async () => {
  const limits = { cpu: "0.5", memory: "1024Mi" };
  const { stack } = await stackIn("drift", async () => {
    new k8s.core.v1.Secret("s", { metadata: { name: "s", namespace: "drift" }, stringData: { key: "mine" } });
    new k8s.core.v1.LimitRange("l", {
      metadata: { name: "l", namespace: "drift" },
      spec: { limits: [{ type: "Container", max: limits }] },
    });
    new k8s.core.v1.ConfigMap("c", { metadata: { name: "c", namespace: "drift" }, data: { a: "1" } });
  });
  await stack.up();
  // 0.5 is 500m to the server: the same amount, and no drift.
  expect((await stack.refresh()).summary.resourceChanges).toEqual({ same: 4 });
  expect((await stack.preview()).changeSummary).toEqual({ same: 4 });

  await api.kubectl([
    "-n",
    "drift",
    "patch",
    "secret",
    "s",
    "-p",
    '{"stringData":{"key":"theirs","more":"x"}}',
  ]);
  await api.kubectl(["-n", "drift", "delete", "configmap", "c"]);
  expect((await stack.refresh()).summary.resourceChanges).toEqual({ delete: 1, same: 2, update: 1 });
  expect((await stack.up()).summary.resourceChanges).toEqual({ create: 1, replace: 1, same: 2 });
  expect(Buffer.from(await get("drift", "secret/s", "{.data.key}"), "base64").toString()).toBe("mine");
  expect(await get("drift", "configmap/c", "{.data.a}")).toBe("1");
});

test("what another owner holds is a conflict, unless the object says otherwise", async () => {
  const program =
    (replicas: number, annotations: Record<string, string> = {}) =>
    async () => {
      const labels = { app: "x" };
      new k8s.apps.v1.Deployment("d", {
        metadata: {
          name: "d",
          namespace: "conflict",
          annotations: { "pulumi.com/skipAwait": "true", ...annotations },
        },
        spec: {
          replicas,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "none" }] } },
        },
      });
    };
  const { stack, setProgram } = await stackIn("conflict", program(0));
  await stack.up();
  setProgram(program(1));
  await stack.up();
  await api.kubectl(
    ["-n", "conflict", "apply", "--server-side", "--force-conflicts", "--field-manager=scaler", "-f", "-"],
    JSON.stringify({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "d" },
      spec: { replicas: 5 },
    }),
  );
  setProgram(program(2));
  await expect(stack.up()).rejects.toThrow(/conflict with "scaler": \.spec\.replicas/);
  setProgram(program(2, { "pulumi.com/patchForce": "true" }));
  expect((await stack.up()).summary.resourceChanges).toEqual({ same: 1, update: 1 });
  expect(await get("conflict", "deployment/d", "{.spec.replicas}")).toBe("2");
});

test("a dry run shows at preview what the API server refuses", async () => {
  const { stack } = await stackIn("refused", async () => {
    const template = {
      metadata: { labels: { app: "y" } },
      spec: { containers: [{ name: "c", image: "none" }] },
    };
    const spec = { serviceName: "s", selector: { matchLabels: { app: "x" } }, template };
    new k8s.apps.v1.StatefulSet("s", { metadata: { name: "s", namespace: "refused" }, spec });
  });
  await expect(stack.preview()).rejects.toThrow("`selector` does not match template `labels`");
});

test("a user who may not try changes still gets a preview, and the refusal at the update", async () => {
  const { stack } = await stackIn(
    "forbidden",
    async () => {
      new k8s.core.v1.ConfigMap("cm", { metadata: { name: "cm", namespace: "forbidden" }, data: { a: "1" } });
    },
    api.kubeconfigs.nobody,
  );
  expect((await stack.preview()).changeSummary).toEqual({ create: 2 });
  await expect(stack.up()).rejects.toThrow(
    'configmaps is forbidden: User "nobody" cannot create resource "configmaps"',
  );
});

test("secrets are encrypted in the state, wherever the program put them", async () => {
  const { stack, backend } = await stackIn("secrets", async () => {
    const password = pulumi.secret("correct-horse");
    const metadata = { namespace: "secrets" };
    new k8s.core.v1.Secret("text", { metadata: { ...metadata, name: "text" }, stringData: { password } });
    new k8s.core.v1.Secret("plain", {
      metadata: { ...metadata, name: "plain" },
      stringData: { password: "correct-horse" },
    });
    new k8s.core.v1.ConfigMap("map", {
      metadata: { ...metadata, name: "map" },
      data: { open: "battery", password },
    });
  });
  await stack.up();
  await stack.refresh();
  const state = await readFile(join(backend, ".pulumi", "stacks", "drawbridge-test", "test.json"), "utf8");
  expect(state).not.toContain("correct-horse");
  expect(state).not.toContain(Buffer.from("correct-horse").toString("base64"));
  expect(state).toContain('"ciphertext"');
  expect(await get("secrets", "configmap/map", "{.data}")).toBe(
    '{"open":"battery","password":"correct-horse"}',
  );
});

test("the resources of a cluster that is gone are neither read nor dropped", async () => {
  const { stack } = await stackIn("gone", async () => {
    new k8s.core.v1.ConfigMap("cm", { metadata: { name: "cm", namespace: "gone" }, data: { a: "1" } });
  });
  await stack.up();
  const { envVars } = stack.workspace;
  envVars.KUBECONFIG = "/no/kubeconfig";
  await expect(stack.refresh()).rejects.toThrow("failed to read resource state due to unreachable cluster");
  await expect(stack.destroy()).rejects.toThrow(/unreachable/);
  expect(await get("gone", "configmap/cm", "{.data.a}")).toBe("1");
});

test("inputs are kept as Kubernetes' own types have them, and an edit that means the same is none", async () => {
  const metadata = { name: "kept", namespace: "kept" };
  const program = (key: string, cpu: string) => async () => {
    new k8s.core.v1.Secret("s", { metadata, stringData: { key } });
    const spec = { hard: { "requests.cpu": cpu }, scopes: [] };
    new k8s.core.v1.ResourceQuota("q", { metadata: { ...metadata, labels: {} }, spec });
  };
  const { stack, setProgram } = await stackIn("kept", program("value", "0.5"));
  await stack.up();
  const { resources } = (await stack.exportStack()).deployment as { resources: Resource[] };
  const inputs = (type: string) => resources.find((resource) => resource.type === type)?.inputs;
  expect(inputs("kubernetes:core/v1:ResourceQuota")).toEqual({
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata,
    spec: { hard: { "requests.cpu": "500m" } },
  });
  expect(Object.keys(inputs("kubernetes:core/v1:Secret") ?? {}).sort()).toEqual([
    "apiVersion",
    "data",
    "kind",
    "metadata",
  ]);
  setProgram(program("value", "500m"));
  expect((await stack.preview()).changeSummary).toEqual({ same: 3 });
  setProgram(program("other", "0.6"));
  expect((await stack.preview()).changeSummary).toEqual({ replace: 1, same: 1, update: 1 });
});

interface Resource {
  readonly type: string;
  readonly inputs: Record<string, unknown>;
}
