/** The Kubernetes provider without a cluster: previews and settings. Holds for the official one and the stand-in. */
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { expect, onTestFinished, test } from "vitest";
import { testStack, unreachableKubeconfig } from "../support/engine.ts";

async function stackOf(program: PulumiFn, env: Record<string, string> = { KUBECONFIG: "/no/kubeconfig" }) {
  const made = await testStack(program, { env });
  onTestFinished(() => made.removeState());
  return made.stack;
}

const oneConfigMap = (args: k8s.ProviderArgs) => async () => {
  const provider = new k8s.Provider("there", args);
  new k8s.core.v1.ConfigMap("cm", { data: { a: "1" } }, { provider });
};

test.each([
  ["no kubeconfig", {}],
  ["a cluster that is down", { kubeconfig: unreachableKubeconfig }],
])("a preview needs no cluster: %s", async (_, args) => {
  const stack = await stackOf(oneConfigMap(args));
  expect((await stack.preview()).changeSummary).toEqual({ create: 3 });
});

test("values that only the cluster knows stay unknown in such a preview", async () => {
  let uid: string | undefined = "not asked";
  const stack = await stackOf(async () => {
    const namespace = new k8s.core.v1.Namespace("ns", { metadata: { name: "known" } });
    pulumi.all([namespace.metadata.name, namespace.metadata.uid]).apply(([, found]) => {
      uid = found;
    });
    new k8s.core.v1.ConfigMap("cm", {
      metadata: { namespace: namespace.metadata.name, annotations: { owner: namespace.metadata.uid } },
    });
  });
  expect((await stack.preview()).changeSummary).toEqual({ create: 3 });
  expect(uid).toBeUndefined();
});

test("an update says that the cluster is not there", async () => {
  const stack = await stackOf(oneConfigMap({ kubeconfig: unreachableKubeconfig }));
  await expect(stack.up()).rejects.toThrow(/configured Kubernetes cluster is unreachable: .*127\.0\.0\.1:1/);
});

test("a setting that does not exist is ignored", async () => {
  const stack = await stackOf(async () => {
    new k8s.core.v1.ConfigMap("cm", {});
  });
  await stack.setConfig("kubernetes:contxt", { value: "a" });
  expect((await stack.preview()).changeSummary).toEqual({ create: 2 });
});
