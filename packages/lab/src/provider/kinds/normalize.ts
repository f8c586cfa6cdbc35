/**
 * Inputs in the form in which the official provider keeps them: it reads those of Kubernetes' own kinds into Kubernetes'
 * own types and writes them out again, which drops what is empty and spells amounts in one way.
 */
import { hasUnknown, isMap, mapOf, mapValues, type Value, type ValueMap } from "../values/property.ts";
import type { Gvk } from "./type-token.ts";
import { isNamespacedBuiltin } from "./type-token.ts";

/** What only the server sets in an object's metadata. */
const SERVER_SET = [
  "creationTimestamp",
  "deletionGracePeriodSeconds",
  "deletionTimestamp",
  "generation",
  "managedFields",
  "resourceVersion",
  "uid",
];

/** @param inputs without secret marks */
export function normalized(inputs: ValueMap, kind: Gvk): ValueMap {
  const own = withoutServerSet(inputs);
  // As with the official provider, nothing is read into a type while a value is not known.
  if (hasUnknown(own) || isNamespacedBuiltin(kind) === undefined || kind.kind === "CustomResourceDefinition")
    return own;
  return kind.group === "" && kind.kind === "Secret" ? secret(own) : (tidied(own) as ValueMap);
}

export function withoutServerSet(object: ValueMap): ValueMap {
  if (!isMap(object.metadata)) return object;
  const own = Object.entries(object.metadata).filter(([key]) => !SERVER_SET.includes(key));
  return { ...object, metadata: Object.fromEntries(own) };
}

/** A Secret's `stringData` is kept where the API server moves it: in `data`, in base64. */
function secret(inputs: ValueMap): ValueMap {
  const { stringData, ...rest } = inputs;
  const written = Object.entries(mapOf(stringData));
  if (written.length === 0) return inputs;
  const encoded = written.map(([key, value]) => [key, Buffer.from(String(value)).toString("base64")]);
  return { ...rest, data: { ...mapOf(rest.data), ...Object.fromEntries(encoded) } };
}

/** Fields that are maps of names to values: empty they say nothing, where an empty object (`emptyDir: {}`) does. */
const MAPS = [
  ...["annotations", "labels", "matchLabels", "nodeSelector", "parameters"],
  ...["binaryData", "data", "stringData"],
];
/** Maps of names to amounts. */
const AMOUNTS = [
  ...["capacity", "default", "defaultRequest", "hard", "limits", "max", "maxLimitRequestRatio", "min"],
  ...["overhead", "requests"],
];

function tidied(value: Value): Value {
  if (Array.isArray(value)) return value.map(tidied);
  if (!isMap(value)) return value;
  const kept = Object.entries(value).filter(([key, part]) => !saysNothing(key, part));
  return Object.fromEntries(
    kept.map(([key, part]) => {
      if (AMOUNTS.includes(key) && isMap(part)) return [key, mapValues(part, amount)];
      return [key, key === "sizeLimit" ? amount(part) : tidied(part)];
    }),
  );
}

function saysNothing(key: string, value: Value): boolean {
  // A role without rules is a role.
  if (Array.isArray(value)) return value.length === 0 && key !== "rules";
  return isMap(value) && Object.keys(value).length === 0 && [...MAPS, ...AMOUNTS].includes(key);
}

const DECIMAL = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const BINARY = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/** An amount as the API server spells it: `0.5` is `500m`, `1024Mi` is `1Gi`. What is no amount stays. */
export function amount(value: Value): Value {
  const [, digits, fraction = "", suffix = ""] =
    /^(-?\d+)(?:\.(\d+))?([numkMGTPE]|[KMGTPE]i)?$/.exec(String(value)) ?? [];
  if (digits === undefined) return value;
  const binary = BINARY.indexOf(suffix || "-");
  // In billionths, so that every suffix is a whole number of them.
  const scale = binary > 0 ? 1024n ** BigInt(binary) * 10n ** 9n : 1000n ** BigInt(DECIMAL.indexOf(suffix));
  const billionths = (BigInt(digits + fraction) * scale) / 10n ** BigInt(fraction.length);
  if (binary > 0 && billionths % 10n ** 9n === 0n) return spelled(billionths / 10n ** 9n, 1024n, BINARY);
  return spelled(billionths, 1000n, DECIMAL);
}

/** With the highest suffix that leaves a whole number. */
function spelled(value: bigint, step: bigint, suffixes: readonly string[]): string {
  let [rest, at] = [value, 0];
  while (rest !== 0n && rest % step === 0n && at < suffixes.length - 1) [rest, at] = [rest / step, at + 1];
  return rest === 0n ? "0" : `${rest}${suffixes[at]}`;
}
