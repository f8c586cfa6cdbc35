/** The stand-in provider without a cluster: previews, settings, refusals. */
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { expect, onTestFinished, test } from "vitest";
import { standInProvider } from "../../packages/lab/src/provider/install.ts";
import { testStack, unreachableKubeconfig } from "../support/engine.ts";

async function stackOf(program: PulumiFn, env: Record<string, string> = { KUBECONFIG: "/no/kubeconfig" }) {
  const made = await testStack(program, { env: { ...env, ...(await standInProvider()).env } });
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
  await expect(stack.up()).rejects.toThrow(
    "configured Kubernetes cluster is unreachable: the Kubernetes API server https://127.0.0.1:1 cannot be reached: connect ECONNREFUSED 127.0.0.1:1",
  );
});

test("a setting that does not exist is refused by name", async () => {
  const stack = await stackOf(oneConfigMap({ contxt: "a" } as k8s.ProviderArgs));
  // The SDK passes on what it knows, so the stack's configuration is where a typing error gets through.
  await stack.setConfig("kubernetes:contxt", { value: "a" });
  expect((await stack.preview()).changeSummary).toEqual({ create: 3 });
  const byDefault = await stackOf(async () => {
    new k8s.core.v1.ConfigMap("cm", {});
  });
  await byDefault.setConfig("kubernetes:contxt", { value: "a" });
  await expect(byDefault.preview()).rejects.toThrow('the Kubernetes provider has no setting "contxt".');
});

test.each([
  [
    "a chart",
    () => new k8s.helm.v3.Release("r", { chart: "nginx" }),
    "Helm charts and releases (kubernetes:helm.sh/v3:Release) are not supported by the stand-in provider.",
  ],
  [
    "a YAML file",
    () => new k8s.yaml.v2.ConfigGroup("g", { yaml: "" }),
    "the component kubernetes:yaml/v2:ConfigGroup is not supported by the stand-in Kubernetes provider.",
  ],
  [
    "a patch",
    () => new k8s.core.v1.NamespacePatch("p", { metadata: { name: "a" } }),
    "Patch resources (kubernetes:core/v1:NamespacePatch) are not supported by the stand-in provider.",
  ],
])("%s is refused with the way out", async (_, declare, message) => {
  const stack = await stackOf(async () => {
    declare();
  });
  await expect(stack.preview()).rejects.toThrow(message);
});
