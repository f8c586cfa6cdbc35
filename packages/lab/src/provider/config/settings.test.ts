import { expect, test } from "vitest";
import { configFaults, readSettings } from "./settings.ts";

test("an empty configuration has the official provider's defaults, and what is not known is ignored", () => {
  const settings = readSettings({ version: "4.34.2", contxt: "a", renderYamlToDirectory: "" }, {});
  expect(settings).toEqual({
    source: { kubeconfig: undefined, context: undefined, cluster: undefined },
    namespace: undefined,
    rateLimit: { qps: 50, burst: 120 },
    mutability: { configMaps: false, secrets: false },
    patchForce: false,
    upsert: false,
  });
});

test("values come as the engine sends them, as text, and go before the environment", () => {
  const settings = readSettings(
    {
      kubeconfig: "/k",
      context: "",
      namespace: "team",
      enableConfigMapMutable: "true",
      enableSecretMutable: "false",
      kubeClientSettings: '{"burst":20}',
    },
    {
      PULUMI_K8S_CLIENT_QPS: "7.5",
      PULUMI_K8S_CLIENT_BURST: "9",
      PULUMI_K8S_ENABLE_SECRET_MUTABLE: "true",
      PULUMI_K8S_ENABLE_PATCH_FORCE: "1",
      PULUMI_K8S_UPSERT_EXISTING_OBJECTS: "true",
    },
  );
  expect(settings).toEqual({
    source: { kubeconfig: "/k", context: undefined, cluster: undefined },
    namespace: "team",
    rateLimit: { qps: 7.5, burst: 20 },
    mutability: { configMaps: true, secrets: false },
    patchForce: true,
    upsert: true,
  });
});

test("what would change what happens, and is not done here, is refused, all of it at once", () => {
  const config = { renderYamlToDirectory: "out", strictMode: "false", enableServerSideApply: "false" };
  expect(configFaults(config)).toEqual([
    {
      key: "renderYamlToDirectory",
      reason: '"renderYamlToDirectory" is not supported by the stand-in provider. Leave it out.',
    },
    {
      key: "enableServerSideApply",
      reason: '"enableServerSideApply" is not supported by the stand-in provider. Leave it out.',
    },
  ]);
});
