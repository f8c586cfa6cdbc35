import { expect, test } from "vitest";
import { configFaults, readSettings } from "./settings.ts";

test("an empty configuration has the official provider's defaults", () => {
  expect(readSettings({}, {})).toEqual({
    source: { kubeconfig: undefined, context: undefined, cluster: undefined },
    namespace: undefined,
    rateLimit: { qps: 50, burst: 120 },
    mutability: { configMaps: false, secrets: false },
    patchForce: false,
    upsert: false,
    deleteUnreachable: false,
    skipUpdateUnreachable: false,
    suppressWarnings: false,
  });
});

test("values come as the engine sends them: as text", () => {
  const settings = readSettings(
    {
      kubeconfig: "/k",
      context: "c",
      namespace: "team",
      enableConfigMapMutable: "true",
      enableSecretMutable: "false",
      kubeClientSettings: '{"qps":1000,"burst":2000}',
      version: "4.34.2",
    },
    { PULUMI_K8S_CLIENT_QPS: "7" },
  );
  expect(settings.source).toEqual({ kubeconfig: "/k", context: "c", cluster: undefined });
  expect(settings.namespace).toBe("team");
  expect(settings.mutability).toEqual({ configMaps: true, secrets: false });
  expect(settings.rateLimit).toEqual({ qps: 1000, burst: 2000 });
});

test("the environment sets flags that the configuration leaves open", () => {
  const env = { PULUMI_K8S_ENABLE_SECRET_MUTABLE: "true", PULUMI_K8S_DELETE_UNREACHABLE: "1" };
  expect(readSettings({}, env)).toMatchObject({
    mutability: { configMaps: false, secrets: true },
    deleteUnreachable: true,
  });
  expect(readSettings({ enableSecretMutable: "false" }, env).mutability.secrets).toBe(false);
});

test("the environment limits the client where the configuration does not", () => {
  const env = { PULUMI_K8S_CLIENT_QPS: "7.5", PULUMI_K8S_CLIENT_BURST: "9" };
  expect(readSettings({ kubeClientSettings: '{"burst":20}' }, env).rateLimit).toEqual({
    qps: 7.5,
    burst: 20,
  });
});

const KNOWN =
  "kubeconfig, context, cluster, clusterIdentifier, namespace, kubeClientSettings, enableConfigMapMutable, enableSecretMutable, enablePatchForce, enableServerSideApply, upsertExistingObjects, deleteUnreachable, skipUpdateUnreachable, suppressDeprecationWarnings, suppressHelmHookWarnings";

test.each([
  [{ contxt: "a" }, "contxt", `the Kubernetes provider has no setting "contxt". It has: ${KNOWN}.`],
  [
    { renderYamlToDirectory: "out" },
    "renderYamlToDirectory",
    '"renderYamlToDirectory" is not supported by the stand-in provider. Leave it out.',
  ],
  [
    { enableServerSideApply: "false" },
    "enableServerSideApply",
    "the stand-in provider cannot do without server-side apply. Leave enableServerSideApply out.",
  ],
  [{ kubeClientSettings: "fast" }, "kubeClientSettings", 'kubeClientSettings: "fast" is no JSON.'],
])("%j is refused", (config: Record<string, string>, key, reason) => {
  expect(configFaults(config)).toEqual([{ key, reason }]);
});

test("every fault is reported", () => {
  const faults = configFaults({
    contxt: "a",
    enableSecretMutable: "maybe",
    kubeClientSettings: '{"qps":-1}',
  });
  expect(faults.map(({ key }) => key)).toEqual(["contxt", "kubeClientSettings", "enableSecretMutable"]);
});
