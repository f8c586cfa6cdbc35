/** The secrets of a stack's configuration: which values they are, where they may stand, and which are not encrypted. */
import { z } from "zod";

/** What is said of a seed that is not set. */
export const noSeed = (key: string) =>
  `is missing; set it once: pulumi config set --secret ${key} "$(openssl rand -base64 32)"`;

import { Secret } from "../kit/secret.ts";
import { exposed, isSecretPlace, secretsIn, withSecrets } from "../kit/secret-places.ts";
import type { StackFault } from "./fault.ts";
import { componentSchemas, platformFileSchema, teamFileSchema } from "./schema.ts";
import type { StackFile } from "./stack-file.ts";
import { isEncrypted, isMap, type Raw, showPath, valueAt, type YamlPath } from "./yaml.ts";

const { frp, storages, containers, routes } = componentSchemas;

/** All that a file may hold, each component's arguments where they stand. */
const wholes: Readonly<Record<string, z.ZodType>> = {
  "drawbridge:platform": z.object({ ...platformFileSchema.shape, frp }),
  "drawbridge:team": z.object({
    ...teamFileSchema.shape,
    storageDefaults: storages,
    storages: z.record(z.string(), storages),
    containerDefaults: containers,
    containers: z.record(z.string(), containers),
    routeDefaults: routes,
    routes: z.record(z.string(), routes),
  }),
};

const seeds = ["drawbridge:hostKeySeed", "drawbridge:frpSeed"];

/** A file's data with a secret of an unknown value for each that is encrypted. */
export function sealed(written: unknown): unknown {
  if (Array.isArray(written)) return written.map(sealed);
  if (!isMap(written)) return written;
  if (isEncrypted(written)) return new Secret();
  return Object.fromEntries(Object.entries(written).map(([key, inner]) => [key, sealed(inner)]));
}

/**
 * A decrypted value with its secrets marked: what the file encrypts. What the file does not hold in plain counts as one too,
 * and `report` is told of it.
 */
export function asWritten(value: unknown, written: unknown, report: () => void): unknown {
  if (isMap(written) && isEncrypted(written)) return new Secret(value);
  if (Array.isArray(value) && Array.isArray(written))
    return value.map((inner, index) => asWritten(inner, written[index], report));
  if (isMap(value) && isMap(written))
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, asWritten(inner, written[key], report)]),
    );
  if (isAlike(value, written)) return value;
  report();
  return new Secret(value);
}

/** Whether a value that Pulumi read is what the file says: it reads YAML 1.1, where 1_000 is a number and a day a time. */
function isAlike(value: unknown, written: unknown): boolean {
  const [one, other] = [value ?? "", written ?? ""];
  if (typeof one === "object" || typeof other === "object") return false;
  const [read, text] = [String(one), String(other)];
  const number = String(Number(text.replaceAll("_", "")));
  const isTime = /^\d{4}-\d\d-\d\d/.test(text) && timeOf(read) === timeOf(text);
  return read === text || read === number || isTime;
}

/** Of a time as YAML has it, or as Go prints it. */
const timeOf = (text: string) => Date.parse(text.replace(/^(\S+) (\S+) ([+-]\d\d)(\d\d)\b.*$/, "$1T$2$3:$4"));

/** Secrets that anybody who reads the cluster could read. */
export function exposedSecrets(values: Raw): StackFault[] {
  return secretsIn(values)
    .map(({ path }) => path)
    .filter(([key, ...below]) => {
      const whole = wholes[String(key)];
      return !seeds.includes(String(key)) && (whole === undefined || !isSecretPlace(whole, below));
    })
    .map((path) => ({ path, ...exposed(path) }));
}

/** Secrets that anybody who reads the repository could read. */
export function plainSecrets(file: StackFile | undefined, values: Raw): StackFault[] {
  const given = new Set(secretsIn(values).map(({ path }) => showPath(path)));
  const paths = Object.entries(wholes).flatMap(([key, whole]) =>
    secretsIn(withSecrets(whole, values[key]), [key]).map(({ path }) => path),
  );
  return [...paths.filter((path) => !given.has(showPath(path))), ...seeds.map((key) => [key])]
    .filter((path) => isPlain(file, path))
    .map((path) => ({
      path,
      message:
        "is a secret in plain text; replace it by a new one, encrypted: pulumi config set --path --secret",
    }));
}

const isPlain = (file: StackFile | undefined, path: YamlPath) => {
  const written = valueAt(file?.config, path);
  return written !== undefined && written !== null && typeof written !== "object";
};
