/** What the Kubernetes provider waits for, and what it says when that does not come: the official one and the stand-in. */
import * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import type { PulumiFn, Stack } from "@pulumi/pulumi/automation/index.js";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { stateResources, testStack } from "../support/engine.ts";

let api: ApiServer;
beforeAll(async () => {
  api = await startApiServer();
});
afterAll(() => api.stop());

/** A stack on the API server, in a namespace of its own. What it leaves ends with the API server. */
async function stackIn(namespace: string, program: PulumiFn) {
  await api.kubectl(["create", "namespace", namespace]);
  const made = await testStack(program, { env: { KUBECONFIG: api.kubeconfigs.admin } });
  onTestFinished(() => made.removeState());
  return made;
}

const labels = { app: "x" };

function deployment(
  namespace: string,
  annotations: Record<string, string>,
  opts: pulumi.CustomResourceOptions = {},
  { replicas = 1, image = "none" } = {},
) {
  const template = { metadata: { labels }, spec: { containers: [{ name: "c", image }] } };
  return new k8s.apps.v1.Deployment(
    "d",
    {
      metadata: { name: "d", namespace, annotations },
      spec: { replicas, selector: { matchLabels: labels }, template },
    },
    opts,
  );
}

test("a deployment that never runs fails by its timeout, is kept in the state, and mended by the next update", async () => {
  const { stack, setProgram } = await stackIn("never", async () => {
    deployment("never", { "pulumi.com/timeoutSeconds": "3" });
  });
  await expect(stack.up()).rejects.toThrow(
    /'d' timed out waiting to be Ready[\s\S]*Minimum number of live Pods was not attained/,
  );
  expect(await stateResources(stack)).toContain("kubernetes:apps/v1:Deployment d");
  setProgram(async () => {
    deployment("never", { "pulumi.com/skipAwait": "true" });
  });
  expect((await stack.up()).summary.resourceChanges).toEqual({ same: 1, update: 1 });
});

test("the program's own timeouts come before the annotation", async () => {
  const { stack } = await stackIn("custom", async () => {
    deployment("custom", { "pulumi.com/timeoutSeconds": "60" }, { customTimeouts: { create: "2s" } });
  });
  const start = performance.now();
  await expect(stack.up()).rejects.toThrow("'d' timed out waiting to be Ready");
  expect(performance.now() - start).toBeLessThan(50_000);
});

/** An `up` that is interrupted as soon as it waits for the deployment's pods. */
async function interrupted(stack: Stack): Promise<void> {
  const cancel = new AbortController();
  const onOutput = (text: string) => {
    if (text.includes("Waiting for app ReplicaSet to be available (0/1 Pods available)")) cancel.abort();
  };
  await expect(stack.up({ onOutput, signal: cancel.signal })).rejects.toThrow(
    'Resource operation was cancelled for "d"',
  );
}

test("an interrupted creation is kept in the state", async () => {
  const { stack } = await stackIn("cancel", async () => {
    deployment("cancel", {});
  });
  await interrupted(stack);
  expect(await stateResources(stack)).toContain("kubernetes:apps/v1:Deployment d");
});

test("an interrupted update leaves the old inputs in the state: only a refresh sees what the cluster has", async () => {
  const withImage = (image: string, replicas: number) => async () => {
    deployment("interrupted", {}, {}, { replicas, image });
  };
  const { stack, setProgram } = await stackIn("interrupted", withImage("right", 0));
  await stack.up();
  setProgram(withImage("wrong", 1));
  await interrupted(stack);
  setProgram(withImage("right", 0));
  const image = () =>
    api.kubectl(["-n", "interrupted", "get", "deployment", "d", "-o", "jsonpath={..image}"]);
  expect((await stack.up()).summary.resourceChanges).toEqual({ same: 2 });
  expect(await image()).toBe("wrong");
  expect((await stack.up({ refresh: true })).summary.resourceChanges).toEqual({ same: 1, update: 1 });
  expect(await image()).toBe("right");
});

test("a failed job ends the wait at once, with its reason", async () => {
  const { stack } = await stackIn("job", async () => {
    new k8s.batch.v1.Job("j", {
      metadata: { name: "j", namespace: "job" },
      spec: {
        activeDeadlineSeconds: 1,
        template: { spec: { containers: [{ name: "c", image: "none" }], restartPolicy: "Never" } },
      },
    });
  });
  await expect(stack.up()).rejects.toThrow(
    /Resource 'j' was created but failed to initialize[\s\S]*\[DeadlineExceeded\] Job was active longer than specified deadline/,
  );
});

test("a Service with a selector settles for ten seconds; a headless one, one without selector and a claim that binds at first use do not wait", async () => {
  await api.kubectl(
    ["apply", "-f", "-"],
    JSON.stringify({
      apiVersion: "storage.k8s.io/v1",
      kind: "StorageClass",
      metadata: { name: "late" },
      provisioner: "example.com/none",
      volumeBindingMode: "WaitForFirstConsumer",
    }),
  );
  const service = (name: string, spec: k8s.types.input.core.v1.ServiceSpec) =>
    new k8s.core.v1.Service(name, {
      metadata: { name, namespace: "services" },
      spec: { ports: [{ port: 22 }], ...spec },
    });
  const { stack, setProgram } = await stackIn("services", async () => {
    service("headless", { clusterIP: "None", selector: labels });
    service("bare", {});
    new k8s.core.v1.PersistentVolumeClaim("claim", {
      metadata: { name: "claim", namespace: "services" },
      spec: {
        storageClassName: "late",
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: "1Gi" } },
      },
    });
  });
  const seconds = async (): Promise<number> => {
    const { summary } = await stack.up();
    return (Date.parse(summary.endTime.toString()) - Date.parse(summary.startTime.toString())) / 1000;
  };
  expect(await seconds()).toBeLessThan(9);
  setProgram(async () => {
    service("selecting", { selector: labels });
  });
  expect(await seconds()).toBeGreaterThanOrEqual(9);
});

test("a load balancer without an address fails with what is missing", async () => {
  const { stack } = await stackIn("balancer", async () => {
    const metadata = { name: "lb", namespace: "balancer", annotations: { "pulumi.com/timeoutSeconds": "2" } };
    new k8s.core.v1.Service("lb", { metadata, spec: { type: "LoadBalancer", ports: [{ port: 22 }] } });
  });
  await expect(stack.up()).rejects.toThrow(
    /'lb' timed out waiting to be Ready[\s\S]*Service was not allocated an IP address/,
  );
});

test("an object that a finalizer holds fails to be deleted, and says by what it is held", async () => {
  const { stack } = await stackIn("held", async () => {
    const metadata = { name: "cm", namespace: "held", finalizers: ["example.com/hold"] };
    new k8s.core.v1.ConfigMap("cm", { metadata }, { customTimeouts: { delete: "3s" } });
  });
  await stack.up();
  const output: string[] = [];
  await expect(stack.destroy({ onOutput: (text) => output.push(text) })).rejects.toThrow(
    "timed out waiting for the condition",
  );
  expect(output.join("")).toContain("finalizers might be preventing deletion (example.com/hold");
  await api.kubectl([
    "-n",
    "held",
    "patch",
    "configmap",
    "cm",
    "--type=json",
    "-p",
    '[{"op":"remove","path":"/metadata/finalizers"}]',
  ]);
  expect((await stack.destroy()).summary.resourceChanges).toEqual({ delete: 2 });
});

test("a kind that the cluster does not have is previewed, and refused at the update until its definition is there", async () => {
  const { stack } = await stackIn("kinds", async () => {
    new k8s.apiextensions.CustomResource("w", {
      apiVersion: "example.com/v1",
      kind: "Widget",
      metadata: { name: "w", namespace: "kinds" },
      spec: { size: 1 },
    });
  });
  expect((await stack.preview()).changeSummary).toEqual({ create: 2 });
  await expect(stack.up()).rejects.toThrow("Verify that any required CRDs have been created");
  await api.kubectl(["apply", "-f", "-"], JSON.stringify(widgets));
  expect((await stack.up()).summary.resourceChanges).toEqual({ create: 1, same: 1 });
  expect(await api.kubectl(["-n", "kinds", "get", "widget", "w", "-o", "jsonpath={.spec.size}"])).toBe("1");
});

const widgets = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", singular: "widget", kind: "Widget" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};
