/** Sources that a pod reads: Secrets, claims and volumes. */
import { at } from "../finding.ts";
import { type Inputs, listAt, mapAt, type ObjectPair } from "../objects.ts";
import { crosses, type Effect, exactly, gains, loses, setEffects, unknown } from "./effect.ts";
import { hiddenPaths, unknownKeys } from "./placeholder.ts";
import { containersOf, podSpecOf } from "./pod-template.ts";
import { claimLeads } from "./volume.ts";

/** The parts of a pod that say what it reads, for the names that have to be known. */
export function sourcesDeciding(spec: unknown): Record<string, unknown> {
  return {
    // A pod mounts claims of its own namespace only, whatever they are called.
    volumes: JSON.parse(
      JSON.stringify(at(spec, "volumes") ?? null, (key, value) => (key === "claimName" ? undefined : value)),
    ),
    secretsOfEnvironment: environmentSecrets(spec),
  };
}

/** Sources that an existing pod gains, and sources that no pod may have. */
export function sourceEffects({ kind, before, after }: ObjectPair): Effect[] {
  const [was, is] = [podSpecOf(before, kind), podSpecOf(after, kind)];
  return [
    ...(before === undefined
      ? []
      : setEffects(reads(was), reads(is), gains, (text) => loses(`no longer: ${text}`))),
    ...news([...borrowed(was), ...claimTemplates(before)], [...borrowed(is), ...claimTemplates(after)]).map(
      (text) => crosses("volume-borrowed", text),
    ),
    ...news(drivers(was), drivers(is)).map((text) => unknown("unknown-field", text)),
  ];
}

const news = (was: readonly string[], is: readonly string[]) => is.filter((text) => !was.includes(text));

function reads(spec: unknown): string[] {
  const secrets = [
    ...listAt(spec, "volumes").flatMap(volumeSecrets),
    ...environmentSecrets(spec).map((name) => `the Secret ${name}`),
  ];
  const claims = listAt(spec, "volumes").flatMap((volume) => {
    const claim = claimOf(volume);
    if (claim === undefined) return [];
    return [`its pod may read ${claim}`, ...(isWritten(spec, volume) ? [`its pod may write ${claim}`] : [])];
  });
  return [...new Set(secrets.map((secret) => `its pod reads ${secret}`)), ...claims];
}

function volumeSecrets(volume: unknown): string[] {
  const names = [
    at(volume, "secret", "secretName"),
    ...listAt(volume, "projected", "sources").map((source) => at(source, "secret", "name")),
    at(volume, "csi", "nodePublishSecretRef", "name"),
  ];
  return names.filter((name) => name !== undefined).map((name) => `the Secret ${name}`);
}

/** Names of the Secrets of which a container has keys as variables. */
function environmentSecrets(spec: unknown): unknown[] {
  return containersOf(spec)
    .flatMap((container) => [
      ...listAt(container, "env").map((one) => at(one, "valueFrom", "secretKeyRef", "name")),
      ...listAt(container, "envFrom").map((one) => at(one, "secretRef", "name")),
    ])
    .filter((name) => name !== undefined);
}

function isWritten(spec: unknown, volume: unknown): boolean {
  const isMounted = containersOf(spec).some((container) =>
    listAt(container, "volumeMounts").some(
      (mount) => at(mount, "name") === at(volume, "name") && at(mount, "readOnly") !== true,
    ),
  );
  return isMounted && at(volume, "persistentVolumeClaim", "readOnly") !== true;
}

function claimOf(volume: unknown): string | undefined {
  const name = at(volume, "persistentVolumeClaim", "claimName");
  if (name === undefined) return undefined;
  return hiddenPaths(name, "").length === 0
    ? `the claim ${name}`
    : `a claim of its namespace whose name is known at \`pulumi up\` (volume ${at(volume, "name")})`;
}

/** Ephemeral claims, judged like any other claim. */
function borrowed(spec: unknown): string[] {
  return listAt(spec, "volumes").flatMap((volume) =>
    claimLeads(mapAt(volume, "ephemeral", "volumeClaimTemplate")).map(
      (text) => `volume ${at(volume, "name")}: ${text}`,
    ),
  );
}

/** The same of claims that a workload makes for each of its pods. */
function claimTemplates(inputs: Inputs | undefined): string[] {
  return listAt(inputs, "spec", "volumeClaimTemplates").flatMap((template) =>
    claimLeads(mapAt(template)).map((text) => `claim ${at(template, "metadata", "name")}: ${text}`),
  );
}

// hostPath and a projected volume's token are known too: they are judged as powers of the pod.
const knownSources = [
  "name",
  "persistentVolumeClaim",
  "configMap",
  "secret",
  "emptyDir",
  "ephemeral",
  "projected",
  "downwardAPI",
  "hostPath",
];
const knownProjections = ["secret", "configMap", "downwardAPI", "serviceAccountToken", "clusterTrustBundle"];

/** CSI volumes: the driver decides what they hold, such as a cloud's secrets or an identity. */
function drivers(spec: unknown): string[] {
  return listAt(spec, "volumes").flatMap((volume) => {
    const name = at(volume, "name");
    const projections = listAt(volume, "projected", "sources").flatMap((source) =>
      unknownKeys(source, knownProjections, "").map((key) => `projected${key}`),
    );
    const sources = [
      ...unknownKeys(volume, knownSources, "").map((key) => key.slice(1)),
      ...new Set(projections),
    ];
    return sources.map((source) => {
      const driver = source === "csi" ? ` of the driver ${at(volume, "csi", "driver")}` : "";
      return exactly(`what volume ${name} gives, by ${source}${driver}, the guard does not know`, volume);
    });
  });
}

/** The pod's service account. A cloud may trust it even without its token. */
export function accountOf(spec: Inputs): string | undefined {
  const account = spec.serviceAccountName ?? spec.serviceAccount;
  return typeof account === "string" ? account : undefined;
}
