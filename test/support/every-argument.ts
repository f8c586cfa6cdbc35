/** Components of which each has one argument set, all arguments in turn. */
import {
  DevContainer,
  FrpServer,
  SshGateway,
  StorageAccessor,
  StorageProxy,
} from "@drawbridge-iac/drawbridge";
import type * as pulumi from "@pulumi/pulumi";
import { withDefaults } from "../../packages/manifests/src/stack/merge.ts";
import type { Property } from "../../scripts/lib/plugin-schema.ts";
import { writtenSchema } from "../../scripts/lib/schema-record.ts";
import { containerBase } from "./field-edits/container-base.ts";
import { containerEdits } from "./field-edits/containers.ts";
import type { Args, FieldEdits } from "./field-edits/edit.ts";
import { frpServerBase, frpServerEdits } from "./field-edits/frp-servers.ts";
import { gatewayBase, gatewayEdits } from "./field-edits/gateways.ts";
import { storageProxyBase, storageProxyEdits } from "./field-edits/storage-proxies.ts";
import { storageBase, storageEdits } from "./field-edits/storages.ts";

export const classes = { DevContainer, FrpServer, SshGateway, StorageAccessor, StorageProxy } as const;
export type Kind = keyof typeof classes;

export type Instance = readonly [kind: Kind, name: string, args: Args];

type Base = (name: string) => Args;

const tables: Readonly<Record<Kind, readonly [edits: FieldEdits, base: Base]>> = {
  DevContainer: [containerEdits, () => containerBase],
  FrpServer: [frpServerEdits, () => frpServerBase],
  SshGateway: [gatewayEdits, gatewayBase],
  StorageAccessor: [storageEdits, () => storageBase],
  StorageProxy: [storageProxyEdits, () => storageProxyBase],
};

export function everyArgument(): Instance[] {
  return Object.entries(tables).flatMap(([kind, [edits, base]]) =>
    Object.values(edits).map((edit, index): Instance => {
      const name = `${kind.toLowerCase().slice(0, 8)}${index}`;
      const args = withDefaults(withDefaults(base(name), edit.from ?? {}), edit.to);
      return [kind as Kind, name, JSON.parse(JSON.stringify(args))];
    }),
  );
}

/** Registers an instance in the program itself. */
export function make([kind, name, args]: Instance): pulumi.ComponentResource {
  return new classes[kind](name, args as never);
}

const snake = (name: string) => name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
const { resources, types } = writtenSchema();
// Names that Python keeps for itself.
const pythonName = (name: string) => (name === "from" ? "from_" : snake(name));

/** The arguments as Python spells them; keys of maps are people's own. */
export function inPython([kind, name, args]: Instance): readonly [Kind, string, unknown] {
  const { inputProperties = {} } = resources[`drawbridge:index:${kind}`] ?? {};
  return [kind, name, spelled(args, inputProperties)];
}

function spelled(value: object, properties: Readonly<Record<string, Property>>): object {
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [pythonName(key), inside(inner, properties[key])]),
  );
}

function inside(value: unknown, property: Property | undefined): unknown {
  if (typeof value !== "object" || value === null || property === undefined) return value;
  if (Array.isArray(value)) return value.map((inner) => inside(inner, property.items));
  const { additionalProperties, $ref = "" } = property;
  if (additionalProperties !== undefined) {
    const entries = Object.entries(value).map(([key, inner]) => [key, inside(inner, additionalProperties)]);
    return Object.fromEntries(entries);
  }
  return spelled(value, types[$ref.replace("#/types/", "")]?.properties ?? {});
}
