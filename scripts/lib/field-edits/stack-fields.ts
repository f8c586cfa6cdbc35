/** The fields of stack files, by the kind of thing that has them, and how a component is made of them. */
import { readFileSync } from "node:fs";
import {
  DevContainer,
  FrpServer,
  InjectedSshd,
  SshGateway,
  SshRoute,
  StorageAccessor,
  StorageProxy,
} from "@drawbridge-iac/drawbridge";
import * as k8s from "@pulumi/kubernetes";
import { expect } from "vitest";
import { keysOf } from "../../../packages/drawbridge/src/host/keys/people.ts";
import { ownTeam } from "../../../packages/drawbridge/src/stacks/program/teams.ts";
import { teamFileSchema } from "../../../packages/drawbridge/src/stacks/schema.ts";
import { Team } from "../../../packages/drawbridge/src/team/component.ts";
import { containerBase } from "./container-base.ts";
import { type EditedKind, editedKinds, expectedVerdicts } from "./index.ts";
import { type Make, untouched, verdicts } from "./verdicts.ts";

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly $ref?: string;
  readonly allOf?: readonly [Schema];
}

const written = JSON.parse(readFileSync("stacks/schema.json", "utf8"));
export const config: Record<string, Schema> = written.properties.config.properties;

/** What a reference leads to. */
function found(schema: Schema = {}): Schema {
  const { $ref } = schema.allOf?.[0] ?? schema;
  return $ref === undefined ? schema : written.definitions[$ref.split("/").at(-1) ?? ""];
}

export const platform = partsOf(config["drawbridge:platform"]);
export const team = partsOf(config["drawbridge:team"]);

function partsOf(schema: Schema | undefined): Record<string, Schema> {
  return { ...found(schema).properties };
}

// Terms of a pod's affinity and spread, and parts as in a pod: whatever changes in one, the pods are others, so their own
// fields are not tried one by one.
const term =
  /((IgnoredDuringExecution|labelSelector)|^(patches|(volumes|initContainers|sidecars|envFrom)\[0\]))$/;

/** Paths of all fields that are no objects of fields themselves. */
export function fields(schema: Schema | undefined, path = ""): string[] {
  const { properties, items } = found(schema);
  if (term.test(path)) return [path];
  if (properties !== undefined && properties.secure === undefined) {
    return Object.entries(properties).flatMap(([name, inner]) =>
      fields(inner, path === "" ? name : `${path}.${name}`),
    );
  }
  return found(items).properties === undefined ? [path] : fields(items, `${path}[0]`);
}

/** Without the names of people and groups, which are keys by the time there is a container: the edit of `people`. */
export const containerFields = (schema: Schema | undefined) =>
  fields(schema).filter((path) => !/(^|\.)(people|groups)$/.test(path) || path.startsWith("access.sshpod"));

interface Kind extends EditedKind {
  readonly fields: readonly string[];
  readonly make: Make;
}

/** What a team's file hands on to its containers and storages, whose own fields it is then. */
export const handedOn = {
  gateway: { edits: editedKinds.container.edits, as: "access.gateway" },
  frp: { edits: editedKinds.container.edits, as: "access.frp.server" },
  team: { edits: editedKinds.container.edits, as: "team" },
  storageProxy: { edits: editedKinds.storage.edits, as: "browse.proxy" },
} as const;
/** These hold containers, routes and storages; a `platform` gives the values of what is handed on. */
export const parts = ["container", "route", "storage"].flatMap((one) => [`${one}s`, `${one}Defaults`]);
parts.push("platform");

export function isTeamsOwn(name: string): boolean {
  return !(name in handedOn) && !parts.includes(name);
}

export const kinds = {
  team: {
    fields: fields({
      properties: Object.fromEntries(Object.entries(team).filter(([name]) => isTeamsOwn(name))),
    }),
    ...editedKinds.team,
    make: (name, args, opts) => {
      const parsed = teamFileSchema.parse(args);
      const made = ownTeam(parsed, opts);
      const container = {
        ...containerBase,
        namespace: parsed.namespace,
        authorizedKeys: [
          ...keysOf(parsed.people, { people: Object.keys(parsed.people) }),
          ...containerBase.authorizedKeys,
        ],
      };
      new DevContainer(name, container as never, { ...opts, dependsOn: made });
    },
  },
  "platform's team": {
    fields: fields(platform.teams?.additionalProperties),
    ...editedKinds["platform's team"],
    make: (name, args, opts) => new Team(name, { deployers: {}, ...args }, opts),
  },
  container: {
    fields: containerFields(team.containers?.additionalProperties),
    ...editedKinds.container,
    make: (name, args, opts) => new DevContainer(name, args as never, opts),
  },
  // The edits of these two are their own list, whole by test/support/engine/every-argument.ts.
  "SSH route": {
    fields: Object.keys(editedKinds["SSH route"].edits),
    ...editedKinds["SSH route"],
    make: (name, args, opts) => new SshRoute(name, args as never, opts),
  },
  "sshd in another's pod": {
    fields: Object.keys(editedKinds["sshd in another's pod"].edits),
    ...editedKinds["sshd in another's pod"],
    make: (name, args, opts) => {
      const { podTemplate } = new InjectedSshd(name, args as never, opts);
      const spec = { selector: { matchLabels: { app: "a" } }, template: podTemplate as never };
      new k8s.apps.v1.Deployment(name, { metadata: { namespace: args.namespace as string }, spec }, opts);
    },
  },
  storage: {
    fields: fields(team.storages?.additionalProperties),
    ...editedKinds.storage,
    make: (name, args, opts) => new StorageAccessor(name, args as never, opts),
  },
  gateway: {
    fields: fields(platform.gateway),
    ...editedKinds.gateway,
    make: (name, args, opts) => new SshGateway(name, args as never, opts),
  },
  "frp server": {
    // The seed stands beside the platform, as drawbridge:frpSeed.
    fields: ["seed", ...fields(platform.frp)],
    ...editedKinds["frp server"],
    make: (name, args, opts) => new FrpServer(name, args as never, opts),
  },
  "storage proxy": {
    fields: fields(platform.storageProxy),
    ...editedKinds["storage proxy"],
    make: (name, args, opts) => new StorageProxy(name, args as never, opts),
  },
} satisfies Record<string, Kind>;

/** Makes each edit for real, to a component of its own: the engine compares with a state, the guard judges. */
export async function doesWhatIsSaid(kind: Kind): Promise<void> {
  const { edits, make, base } = kind;
  expect(await verdicts(edits, make, base)).toEqual({
    [untouched]: "unchanged",
    ...expectedVerdicts(kind),
  });
}
