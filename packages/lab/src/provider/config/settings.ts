import { z } from "zod";
import type { RateLimit } from "../../kube/client.ts";
import type { KubeconfigSource } from "../../kube/kubeconfig.ts";
import type { Mutability } from "../kinds/force-new.ts";

/** The provider's configuration, with every default decided. */
export interface Settings {
  readonly source: KubeconfigSource;
  /** Namespace of objects that name none. Default: the kubeconfig context's. */
  readonly namespace: string | undefined;
  readonly rateLimit: RateLimit;
  readonly mutability: Mutability;
  /** Whether updates take fields over from other field managers, which is a conflict otherwise. */
  readonly patchForce: boolean;
  /** Whether an object that exists is taken over by creating it, which is an error otherwise. */
  readonly upsert: boolean;
}

// The engine passes every value as text: booleans and objects as JSON. An unset KUBECONFIG comes as empty text.
const text = z.string().transform((value) => value || undefined);
const flag = (variable: string, env: NodeJS.ProcessEnv) =>
  z
    .stringbool({ truthy: ["true"], falsy: ["false", "null", ""] })
    .default(["true", "1"].includes(env[variable] ?? ""));
const positive = z.coerce.number().positive();

/** What is read; as with the official provider, any other setting is ignored. */
function shape(env: NodeJS.ProcessEnv) {
  return z.object({
    kubeconfig: text.optional(),
    context: text.optional(),
    cluster: text.optional(),
    namespace: text.optional(),
    kubeClientSettings: z
      .string()
      .transform((value) => JSON.parse(value) as unknown)
      .pipe(z.looseObject({ qps: positive.optional(), burst: positive.optional() }).nullable())
      .optional(),
    enableConfigMapMutable: flag("PULUMI_K8S_ENABLE_CONFIGMAP_MUTABLE", env),
    enableSecretMutable: flag("PULUMI_K8S_ENABLE_SECRET_MUTABLE", env),
    enablePatchForce: flag("PULUMI_K8S_ENABLE_PATCH_FORCE", env),
    upsertExistingObjects: flag("PULUMI_K8S_UPSERT_EXISTING_OBJECTS", env),
  });
}

/** The official provider's switches that would change what happens, and that nobody here uses. */
const UNSUPPORTED = [
  ...["alwaysRender", "deleteUnreachable", "helmReleaseSettings", "renderYamlToDirectory"],
  ...["skipUpdateUnreachable", "strictMode"],
];

/** What is wrong with a configuration: one sentence each, with the key it is about. */
export function configFaults(config: Readonly<Record<string, string>>): { key: string; reason: string }[] {
  const used = UNSUPPORTED.filter((key) => !["", "null", "false"].includes(config[key] ?? ""));
  if (config.enableServerSideApply === "false") used.push("enableServerSideApply");
  return used.map((key) => ({
    key,
    reason: `"${key}" is not supported by the stand-in provider. Leave it out.`,
  }));
}

/** Reads a configuration. What it leaves open comes from the environment. */
export function readSettings(
  config: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv = process.env,
): Settings {
  const faults = configFaults(config);
  if (faults.length > 0) throw new Error(faults.map(({ reason }) => reason).join("\n"));
  const { kubeconfig, context, cluster, ...parsed } = shape(env).parse(config);
  const { qps, burst } = parsed.kubeClientSettings ?? {};
  return {
    source: { kubeconfig, context, cluster },
    namespace: parsed.namespace,
    // The defaults are the official provider's.
    rateLimit: {
      qps: qps ?? positive.parse(env.PULUMI_K8S_CLIENT_QPS || 50),
      burst: burst ?? positive.parse(env.PULUMI_K8S_CLIENT_BURST || 120),
    },
    mutability: { configMaps: parsed.enableConfigMapMutable, secrets: parsed.enableSecretMutable },
    patchForce: parsed.enablePatchForce,
    upsert: parsed.upsertExistingObjects,
  };
}
