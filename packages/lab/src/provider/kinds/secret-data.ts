import { isMap, mapOf, mapValues, reveal, type Value, type ValueMap } from "../values/property.ts";

/** Whether these are the inputs or the live state of a core Secret. */
export function isSecretKind(object: ValueMap): boolean {
  return object.kind === "Secret" && object.apiVersion === "v1";
}

/** The base64 form in which the API server keeps a `stringData` entry. Unknown values stay unknown. */
function encodeEntry(value: Value): Value {
  return typeof value === "string" ? Buffer.from(value, "utf8").toString("base64") : value;
}

/**
 * The live state of a Secret in the shape of the inputs: what the program wrote as `stringData` is read back from
 * `data`, where the API server moves it.
 */
export function liveInShapeOf(live: ValueMap, inputs: ValueMap): ValueMap {
  const written = inputs.stringData;
  if (!isSecretKind(inputs) || written === undefined) return live;
  const data = mapOf(live.data);
  const stringData = Object.keys(mapOf(written)).filter((key) => typeof data[key] === "string");
  return {
    ...live,
    stringData: Object.fromEntries(
      stringData.map((key) => [key, Buffer.from(data[key] as string, "base64").toString("utf8")]),
    ),
  };
}

/** Moves `stringData` to `data`, as the API server does, so that the two ways of writing one Secret compare equal. */
export function normalized(object: ValueMap): ValueMap {
  if (!isSecretKind(object)) return object;
  const { stringData, ...rest } = object;
  const plain = stringData === undefined ? undefined : reveal(stringData);
  if (!isMap(plain)) return object;
  return { ...rest, data: { ...mapOf(rest.data), ...mapValues(plain, encodeEntry) } };
}
