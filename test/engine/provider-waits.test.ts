/** What the stand-in provider waits for, and what it says when that does not come. */
import { setTimeout as sleep } from "node:timers/promises";
import * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import type { PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { standInProvider } from "../../packages/lab/src/provider/install.ts";
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
  const env = { KUBECONFIG: api.kubeconfigs.admin, ...(await standInProvider()).env };
  const made = await testStack(program, { env });
  onTestFinished(() => made.removeState());
  return made;
}

const labels = { app: "x" };
const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "none" }] } };

function deployment(
  namespace: string,
  annotations: Record<string, string>,
  opts?: pulumi.CustomResourceOptions,
) {
  return new k8s.apps.v1.Deployment(
    "d",
    {
      metadata: { name: "d", namespace, annotations },
      spec: { selector: { matchLabels: labels }, template },
    },
    opts,
  );
}

test("a deployment that never runs fails by its timeout, is kept in the state, and mended by the next update", async () => {
  const { stack, setProgram } = await stackIn("never", async () => {
    deployment("never", { "pulumi.com/timeoutSeconds": "3" });
  });
  await expect(stack.up()).rejects.toThrow(
    "Deployment never/d: timed out after 3.0 s while waiting for pods to become available (0 of 1)",
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
  await expect(stack.up()).rejects.toThrow("Deployment custom/d: timed out after 2.0 s");
});

test("cancelling the update ends the wait", async () => {
  const { stack } = await stackIn("cancel", async () => {
    deployment("cancel", {});
  });
  const cancel = new AbortController();
  const onOutput = (text: string) => {
    if (text.includes("waiting for pods to become available (0 of 1)")) cancel.abort();
  };
  await expect(stack.up({ onOutput, signal: cancel.signal })).rejects.toThrow(
    "Deployment cancel/d: the operation was cancelled while waiting for pods to become available (0 of 1)",
  );
});

test("a failed job ends the wait at once, with its reason and its events", async () => {
  const { stack } = await stackIn("job", async () => {
    new k8s.batch.v1.Job("j", {
      metadata: { name: "j", namespace: "job" },
      spec: { activeDeadlineSeconds: 1, template: { spec: { ...template.spec, restartPolicy: "Never" } } },
    });
  });
  await expect(stack.up()).rejects.toThrow(
    /Job job\/j: failed: DeadlineExceeded: Job was active longer than specified deadline[\s\S]*Job j: DeadlineExceeded/,
  );
});

test("waitFor holds until the condition and the field are there", async () => {
  const waitFor = JSON.stringify(["condition=Progressing", "jsonpath={.metadata.labels.go}=yes"]);
  const { stack } = await stackIn("wait-for", async () => {
    deployment("wait-for", { "pulumi.com/waitFor": waitFor });
  });
  const label = async () => {
    await sleep(8000);
    await api.kubectl(["-n", "wait-for", "label", "deployment", "d", "go=yes"]);
    return performance.now();
  };
  const update = async () => {
    const { summary } = await stack.up();
    return { changes: summary.resourceChanges, at: performance.now() };
  };
  const [updated, labelled] = await Promise.all([update(), label()]);
  expect(updated.changes).toEqual({ create: 2 });
  expect(updated.at).toBeGreaterThan(labelled);
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
    "Service balancer/lb: timed out after 2.0 s while waiting for an address of the load balancer",
  );
});

test("an object that a finalizer holds fails to be deleted, and says by what it is held", async () => {
  const { stack } = await stackIn("held", async () => {
    const metadata = { name: "cm", namespace: "held", finalizers: ["example.com/hold"] };
    new k8s.core.v1.ConfigMap("cm", { metadata }, { customTimeouts: { delete: "3s" } });
  });
  await stack.up();
  await expect(stack.destroy()).rejects.toThrow(
    /ConfigMap held\/cm: timed out after 3\.0 s while waiting for it to be gone \(held by example\.com\/hold/,
  );
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
