import { z } from "zod";
import type { Mutability } from "../kinds/force-new.ts";
import type { KubeconfigSource } from "../kubernetes/kubeconfig.ts";
import { DEFAULT_RATE_LIMIT, type RateLimit } from "../kubernetes/rate-limit.ts";

/** The provider's configuration, with every default decided. */
export interface Settings {
  readonly source: KubeconfigSource;
  /** Namespace of objects that name none. Default: the kubeconfig context's. */
  readonly namespace: string | undefined;
  readonly rateLimit: RateLimit;
  readonly mutability: Mutability;
  /** Whether updates take fields over from other field managers, which is a conflict otherwise. */
  readonly patchForce: boolean;
  /** Whether creating an object that exists updates it, which is an error otherwise. */
  readonly upsert: boolean;
  /** Whether objects of an unreachable cluster count as deleted. */
  readonly deleteUnreachable: boolean;
  /** Whether objects of an unreachable cluster are left as the state has them. */
  readonly skipUpdateUnreachable: boolean;
  /** Whether the API server's warnings are kept from the user. */
  readonly suppressWarnings: boolean;
}

// The engine passes every value as text: booleans and objects as JSON.
const flag = z.stringbool({ truthy: ["true"], falsy: ["false", "null", ""] }).default(false);
const number = z.coerce.number().positive();
const clientSettings = z.looseObject({ qps: number.optional(), burst: number.optional() });
const json = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    context.addIssue(`"${text}" is no JSON`);
    return z.NEVER;
  }
});

const KEYS = {
  kubeconfig: z.string().optional(),
  context: z.string().optional(),
  cluster: z.string().optional(),
  clusterIdentifier: z.string().optional(),
  namespace: z.string().optional(),
  kubeClientSettings: json.pipe(clientSettings.nullable()).optional(),
  enableConfigMapMutable: flag,
  enableSecretMutable: flag,
  enablePatchForce: flag,
  // Accepted because it says what is so anyway; client-side apply does not exist here.
  enableServerSideApply: z.stringbool({ truthy: ["true", "null", ""], falsy: ["false"] }).default(true),
  upsertExistingObjects: flag,
  deleteUnreachable: flag,
  skipUpdateUnreachable: flag,
  suppressDeprecationWarnings: flag,
  suppressHelmHookWarnings: flag,
};
const Config = z.object(KEYS);

/** The environment variable that stands in for a flag which the configuration does not set. */
const VARIABLES = {
  enableConfigMapMutable: "PULUMI_K8S_ENABLE_CONFIGMAP_MUTABLE",
  enableSecretMutable: "PULUMI_K8S_ENABLE_SECRET_MUTABLE",
  enablePatchForce: "PULUMI_K8S_ENABLE_PATCH_FORCE",
  upsertExistingObjects: "PULUMI_K8S_UPSERT_EXISTING_OBJECTS",
  deleteUnreachable: "PULUMI_K8S_DELETE_UNREACHABLE",
  skipUpdateUnreachable: "PULUMI_K8S_SKIP_UPDATE_UNREACHABLE",
  suppressDeprecationWarnings: "PULUMI_K8S_SUPPRESS_DEPRECATION_WARNINGS",
} as const satisfies Partial<Record<keyof typeof KEYS, string>>;

/** What the engine adds to every provider's configuration. */
const ENGINE_KEYS = new Set(["version", "pluginDownloadURL", "pluginChecksums", "__internal", "__pulumi"]);

/** The official provider's switches that need more than an API server. */
const UNSUPPORTED = new Set(["renderYamlToDirectory", "alwaysRender", "helmReleaseSettings", "strictMode"]);

/** What is wrong with a configuration: one sentence each, with the key it is about. */
export function configFaults(config: Readonly<Record<string, string>>): { key: string; reason: string }[] {
  const faults = Object.entries(config).flatMap(([key, value]) => {
    if (key in KEYS || ENGINE_KEYS.has(key)) return [];
    if (UNSUPPORTED.has(key)) {
      const used = value !== "" && value !== "null" && value !== "false";
      return used
        ? [{ key, reason: `"${key}" is not supported by the stand-in provider. Leave it out.` }]
        : [];
    }
    const known = Object.keys(KEYS).join(", ");
    return [{ key, reason: `the Kubernetes provider has no setting "${key}". It has: ${known}.` }];
  });
  const parsed = Config.safeParse(config);
  if (parsed.success) {
    return parsed.data.enableServerSideApply
      ? faults
      : [
          ...faults,
          {
            key: "enableServerSideApply",
            reason:
              "the stand-in provider cannot do without server-side apply. Leave enableServerSideApply out.",
          },
        ];
  }
  return [
    ...faults,
    ...parsed.error.issues.map((issue) => ({
      key: String(issue.path[0]),
      reason: `${issue.path.join(".")}: ${issue.message}.`,
    })),
  ];
}

/**
 * Reads a configuration that has no faults. What it leaves open comes from the environment: the flags, and the client's
 * limits from `$PULUMI_K8S_CLIENT_QPS` and `$PULUMI_K8S_CLIENT_BURST`.
 */
export function readSettings(
  config: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv = process.env,
): Settings {
  const faults = configFaults(config);
  if (faults.length > 0) throw new Error(faults.map(({ reason }) => reason).join("\n"));
  const parsed = Config.parse({ ...flagsOf(env), ...config });
  const limit = (given: number | undefined, variable: string, otherwise: number): number =>
    given ?? (env[variable] ? number.parse(env[variable]) : otherwise);
  return {
    // The SDK passes an unset KUBECONFIG as empty text.
    source: {
      kubeconfig: parsed.kubeconfig || undefined,
      context: parsed.context || undefined,
      cluster: parsed.cluster || undefined,
    },
    namespace: parsed.namespace || undefined,
    rateLimit: {
      qps: limit(parsed.kubeClientSettings?.qps, "PULUMI_K8S_CLIENT_QPS", DEFAULT_RATE_LIMIT.qps),
      burst: limit(parsed.kubeClientSettings?.burst, "PULUMI_K8S_CLIENT_BURST", DEFAULT_RATE_LIMIT.burst),
    },
    mutability: { configMaps: parsed.enableConfigMapMutable, secrets: parsed.enableSecretMutable },
    patchForce: parsed.enablePatchForce,
    upsert: parsed.upsertExistingObjects,
    deleteUnreachable: parsed.deleteUnreachable,
    skipUpdateUnreachable: parsed.skipUpdateUnreachable,
    suppressWarnings: parsed.suppressDeprecationWarnings,
  };
}

function flagsOf(env: NodeJS.ProcessEnv): Record<string, string> {
  const set = Object.entries(VARIABLES).filter(([, variable]) => ["true", "1"].includes(env[variable] ?? ""));
  return Object.fromEntries(set.map(([key]) => [key, "true"]));
}
