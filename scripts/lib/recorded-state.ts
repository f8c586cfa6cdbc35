/** Recorded states without what no preview reads. */
type Value = null | boolean | number | string | Value[] | ValueMap;
interface ValueMap {
  [field: string]: Value;
}

interface Resource {
  readonly type: string;
  readonly inputs?: ValueMap;
  readonly outputs?: ValueMap;
}

interface State {
  readonly deployment: { readonly resources: readonly Resource[] };
}

/** Where and when it was made, and what the engine works out anew. */
const ofTheRecording = [
  ...["created", "kubeconfig", "modified", "propertyDependencies", "sourcePosition", "stackTrace"],
  "managedFields",
];

/** The state's text: a line for each field of each resource. */
export function recordedText(state: State): string {
  const { resources, ...deployment } = state.deployment;
  const kept = resources.map((resource) =>
    Object.entries(asComparable(resource))
      .filter(([field]) => !ofTheRecording.includes(field))
      .map(([field, value]) => `${text(field)}: ${text(value)}`),
  );
  const listed = kept.map((fields) => `{\n${fields.join(",\n")}\n}`).join(",\n");
  const head = text({ ...state, deployment }).slice(0, -2);
  return `${head},\n"resources": [\n${listed}\n]}}\n`;
}

function text(value: unknown): string {
  return JSON.stringify(value, (field, part) => (ofTheRecording.includes(field) ? undefined : part));
}

/**
 * The provider compares what the inputs speak of with what the cluster had of it. Besides, programs read the address of
 * a Service.
 */
function asComparable(resource: Resource): Resource {
  const { type, inputs, outputs } = resource;
  if (!type.startsWith("kubernetes:") || inputs === undefined || outputs === undefined) return resource;
  const own = Object.entries(outputs).filter(
    ([field]) => field.startsWith("__") || field === "data" || (field === "status" && /:Service$/.test(type)),
  );
  return { ...resource, outputs: { ...(pruned(outputs, inputs) as ValueMap), ...Object.fromEntries(own) } };
}

/**
 * The part of what the cluster has that the inputs speak of. What they set to nothing (false, 0, "") the API server
 * leaves out, so it counts as there.
 */
function pruned(live: Value, inputs: Value): Value {
  if (isMap(live) && isMap(inputs)) {
    const entries = Object.entries(inputs).map(([key, input]): [string, Value | undefined] => {
      const found = live[key];
      if (found === undefined || found === null) return [key, input ? undefined : input];
      return [key, pruned(found, input)];
    });
    return Object.fromEntries(entries.filter((entry): entry is [string, Value] => entry[1] !== undefined));
  }
  if (Array.isArray(live) && Array.isArray(inputs)) {
    return live.slice(0, inputs.length).map((item, index) => pruned(item, inputs[index]!));
  }
  return live;
}

const isMap = (value: Value): value is ValueMap =>
  typeof value === "object" && value !== null && !Array.isArray(value);
