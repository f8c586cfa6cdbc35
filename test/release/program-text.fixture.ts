/** Programs in other languages, written from arguments as TypeScript has them. */
import { type Property, writtenSchema } from "../../scripts/lib/plugin-schema.ts";
import type { Instance } from "../support/engine/every-argument.ts";

const { resources, types } = writtenSchema();
const inputsOf = (kind: string) => resources[`drawbridge:index:${kind}`];
const nameOf = ($ref: string) => $ref.replace("#/types/drawbridge:index:", "");
const typeOf = ($ref: string) => types[$ref.replace("#/types/", "")];
const isAny = ($ref: string) => $ref.startsWith("pulumi.json#");

/** Of what may be a component too, the group. */
const firstOf = (property: Property) => property.oneOf?.[0] ?? property;

type Fields = Readonly<Record<string, Property>>;
const given = (value: object, fields: Fields) =>
  Object.entries(value).map(([name, inner]) => [name, inner, fields[name] ?? {}] as const);

/** A Python program of these components. */
export function pythonProgram(instances: readonly Instance[]): string {
  const calls = instances.map(({ kind, name, args }) => {
    const words = [JSON.stringify(name), ...pythonFields(args, inputsOf(kind)?.inputProperties ?? {})];
    return `    drawbridge.${kind}(${words.join(", ")})`;
  });
  const imports = "import operate\nimport pulumi_drawbridge as drawbridge\n";
  return `${imports}\n\ndef program() -> None:\n${calls.join("\n")}\n\n\noperate.main(program)\n`;
}

const pythonFields = (value: object, fields: Fields) =>
  given(value, fields).map(([name, inner, field]) => `${pythonName(name)}=${inPython(inner, field)}`);

// Python's keywords get an underscore at the end; capitals in a row are one word.
const pythonName = (name: string) =>
  ["from", "except"].includes(name)
    ? `${name}_`
    : name
        .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
        .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
        .toLowerCase();

function inPython(value: unknown, property: Property): string {
  const { $ref, items, additionalProperties: each } = firstOf(property);
  if ($ref !== undefined && !isAny($ref)) {
    const { properties } = typeOf($ref) ?? {};
    if (properties === undefined) return `drawbridge.${nameOf($ref)}(${JSON.stringify(value)})`;
    return `drawbridge.${nameOf($ref)}Args(${pythonFields(value as object, properties).join(", ")})`;
  }
  if (Array.isArray(value)) return `[${value.map((one) => inPython(one, items ?? {})).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(([key, one]) => [
      JSON.stringify(key),
      inPython(one, each ?? {}),
    ]);
    return `{${entries.map((entry) => entry.join(": ")).join(", ")}}`;
  }
  if (typeof value === "boolean") return value ? "True" : "False";
  return value === null ? "None" : JSON.stringify(value);
}

/** A Go program of these components, each in a function of its own, which is easier on the compiler. */
export function goProgram(instances: readonly Instance[]): string {
  const made = instances.map(({ kind, name, args }, index) => {
    const { inputProperties = {}, requiredInputs = [] } = inputsOf(kind) ?? {};
    const fields = goFields(args, inputProperties, requiredInputs);
    const call = `drawbridge.New${kind}(ctx, ${JSON.stringify(name)}, &drawbridge.${kind}Args{${fields}})`;
    return `func make${index}(ctx *pulumi.Context) error {\n\t_, err := ${call}\n\treturn err\n}\n`;
  });
  return `package main

import (
	drawbridge "DRAWBRIDGE_MODULE"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func ref[T any](value T) *T { return &value }

${made.join("\n")}
func program(ctx *pulumi.Context) error {
	for _, one := range []pulumi.RunFunc{${made.map((_, index) => `make${index}`).join(", ")}} {
		if err := one(ctx); err != nil {
			return err
		}
	}
	return nil
}

func main() { fail(operate(program)) }
`;
}

const goFields = (value: object, fields: Fields, required: readonly string[]) =>
  given(value, fields)
    .map(([name, inner, field]) => `${goName(name)}: ${inGo(inner, field, !required.includes(name))}`)
    .join(", ");

const goName = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

function inGo(value: unknown, property: Property, optional = false): string {
  if (property.oneOf !== undefined) return inGo(value, firstOf(property));
  const { $ref, items, additionalProperties: each, plain } = property;
  if ($ref !== undefined && isAny($ref) && plain !== true) return `pulumi.Any(${inGo(value, {})})`;
  if ($ref !== undefined && !isAny($ref)) {
    const { properties, required = [] } = typeOf($ref) ?? {};
    const name = `drawbridge.${nameOf($ref)}`;
    if (properties === undefined)
      return goRef(`${name}(${JSON.stringify(value)})`, optional && plain === true);
    return `${optional ? "&" : ""}${name}Args{${goFields(value as object, properties, required)}}`;
  }
  // A list or map that may be an output as a whole has a type of Pulumi's own, whose elements are such values too.
  const isInput = property.type !== undefined && plain !== true;
  if (Array.isArray(value)) {
    const inner = isInput ? { ...items, plain: false } : (items ?? {});
    const type = isInput ? `pulumi.${goWord(inner.type, "")}Array` : `[]${goType(inner)}`;
    return `${type}{${value.map((one) => inGo(one, inner)).join(", ")}}`;
  }
  if (typeof value === "object" && value !== null) {
    const inner = isInput ? { ...each, plain: false } : (each ?? {});
    const type = isInput ? `pulumi.${goWord(inner.type, "")}Map` : `map[string]${goType(inner)}`;
    const entries = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${inGo(one, inner)}`);
    return `${type}{${entries.join(", ")}}`;
  }
  const text = value === null ? "nil" : JSON.stringify(value);
  if (plain === true || property.type === undefined) return goRef(text, optional && plain === true);
  return `pulumi.${goWord(property.type)}${optional ? "Ptr" : ""}(${text})`;
}

/** What Go calls a type of the schema, as Pulumi writes it. Before `Map` and `Array` no word stands for any type. */
const goWord = (type = "", other = "any") =>
  ({ string: "String", integer: "Int", boolean: "Bool" })[type] ?? other;

const goRef = (text: string, optional: boolean) => (optional ? `ref(${text})` : text);

function goType({ type, $ref, plain, oneOf }: Property): string {
  if (oneOf !== undefined) return plain === true ? "any" : "pulumi.Input";
  if ($ref !== undefined && !isAny($ref)) {
    return `drawbridge.${nameOf($ref)}${typeOf($ref)?.properties === undefined ? "" : "Args"}`;
  }
  if ($ref !== undefined && plain !== true) return "pulumi.Input";
  if (type === undefined) return "any";
  return plain === true ? goWord(type).toLowerCase() : `pulumi.${goWord(type)}Input`;
}
