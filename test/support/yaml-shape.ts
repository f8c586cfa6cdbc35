/** What of a program in Pulumi YAML does not fit the package's schema, as Pulumi's own host would find it. */
import type { Property } from "../../scripts/lib/plugin-schema.ts";
import { writtenSchema } from "../../scripts/lib/schema-record.ts";
import { referencesIn, type YamlProgram } from "./yaml-program.ts";

const { resources: kinds, types } = writtenSchema();
const kindOf = (type: string) => kinds[type.replace(/^drawbridge:(?!index:)/, "drawbridge:index:")];

const outputsOf = (type: string) => kindOf(type)?.properties ?? {};

/** A sentence for each fault, with its path. */
export function yamlFaults({ config = {}, resources, outputs = {} }: YamlProgram): string[] {
  const faults: string[] = [];

  function references(text: string, path: string, plain = false): void {
    for (const [name = "", output] of referencesIn(text)) {
      if (name in config) continue;
      const { type } = resources[name] ?? {};
      if (type === undefined) faults.push(`${path}: there is no "${name}"`);
      // Another package's resources have a schema of their own.
      else if (type.startsWith("drawbridge:") && output !== undefined && !(output in outputsOf(type))) {
        faults.push(`${path}: ${type} has no output "${output}"`);
      } else if (plain) faults.push(`${path}: takes a plain value only, and ${text} is known later`);
    }
  }

  function fields(
    value: object,
    known: Record<string, Property>,
    required: readonly string[],
    path: string,
  ): void {
    for (const name of required) if (!(name in value)) faults.push(`${path}.${name}: is missing`);
    for (const [name, inner] of Object.entries(value)) {
      const property = known[name];
      if (property === undefined) faults.push(`${path}.${name}: there is no such argument`);
      else fits(inner, property, `${path}.${name}`);
    }
  }

  function fits(value: unknown, property: Property, path: string): void {
    const { $ref, type, items, additionalProperties, plain } = property;
    if (typeof value === "string" && value.includes("${")) {
      references(value, path, plain);
      return;
    }
    if ($ref?.startsWith("pulumi.json#") === true) return;
    const named = $ref === undefined ? undefined : types[$ref.replace("#/types/", "")];
    if (named?.enum !== undefined) {
      const values = named.enum.map((one) => one.value);
      if (!values.includes(value as string)) {
        faults.push(`${path}: is ${JSON.stringify(value)}, not one of ${values.join(", ")}`);
      }
      return;
    }
    const wanted = named === undefined ? type : "object";
    if (kind(value) !== wanted && !(wanted === "number" && kind(value) === "integer")) {
      faults.push(`${path}: is ${JSON.stringify(value)}, not of type ${wanted}`);
    } else if (named !== undefined) {
      fields(value as object, named.properties ?? {}, named.required ?? [], path);
    } else {
      const inner = items ?? additionalProperties;
      if (inner === undefined) return;
      for (const [key, one] of Object.entries(value as object)) fits(one, inner, `${path}[${key}]`);
    }
  }

  for (const [name, { type, properties = {}, options = {} }] of Object.entries(resources)) {
    const { inputProperties, requiredInputs } = kindOf(type) ?? {};
    if (inputProperties !== undefined) fields(properties, inputProperties, requiredInputs ?? [], name);
    else if (type.startsWith("drawbridge:")) faults.push(`${name}: there is no ${type}`);
    references(JSON.stringify(options), `${name}.options`);
  }
  references(JSON.stringify(outputs), "outputs");
  return faults;
}

function kind(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}
