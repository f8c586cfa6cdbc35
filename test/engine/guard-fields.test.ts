/**
 * Each field of the stack files has a trial with a verdict, because the arguments of the components that it holds have. All
 * trials are made for real in test/long/guard-fields.test.ts, a few of a container's here.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Title, type TriedKind, trialsOf, triedTeamFile } from "../../scripts/lib/trials/index.ts";
import { doesWhatIsSaid } from "../support/engine/trials.ts";

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly $ref?: string;
  readonly allOf?: readonly [Schema];
}

const written = JSON.parse(readFileSync("stacks/schema.json", "utf8"));
const config: Record<string, Schema> = written.properties.config.properties;

/** What a reference leads to. */
function found(schema: Schema = {}): Schema {
  const { $ref } = schema.allOf?.[0] ?? schema;
  return $ref === undefined ? schema : written.definitions[$ref.split("/").at(-1) ?? ""];
}

const platform = partsOf(config["drawbridge:platform"]);
const team = partsOf(config["drawbridge:team"]);

function partsOf(schema: Schema | undefined): Record<string, Schema> {
  return { ...found(schema).properties };
}

// Terms of a pod's affinity and spread, and parts as in a pod: whatever changes in one, the pods are others, so their own
// fields are not tried one by one.
const term =
  /((IgnoredDuringExecution|labelSelector)|^(patches|(pod\.(volumes|initContainers|sidecars)|envFrom)\[0\]))$/;

/** Paths of all fields that are no objects of fields themselves. */
function fields(schema: Schema | undefined, path = ""): string[] {
  const { properties, items } = found(schema);
  if (term.test(path)) return [path];
  if (properties !== undefined && properties.secure === undefined) {
    return Object.entries(properties).flatMap(([name, inner]) =>
      fields(inner, path === "" ? name : `${path}.${name}`),
    );
  }
  return found(items).properties === undefined ? [path] : fields(items, `${path}[0]`);
}

/** Where the arguments of a component stand in a stack file, and what a team hands on to it. */
const places: readonly { schema: Schema | undefined; title: Title; as?: string }[] = [
  { schema: team.containers?.additionalProperties, title: "DevContainer" },
  { schema: team.containerDefaults, title: "DevContainer" },
  { schema: team.gateway, title: "DevContainer", as: "access.gateway" },
  { schema: team.frp, title: "DevContainer", as: "access.frp.server" },
  { schema: team.egressGateway, title: "DevContainer", as: "egress.gateway" },
  { schema: team.team, title: "DevContainer", as: "team" },
  { schema: team.storages?.additionalProperties, title: "StorageAccessor" },
  { schema: team.storageDefaults, title: "StorageAccessor" },
  { schema: team.storageProxy, title: "StorageAccessor", as: "browse.proxy" },
  { schema: team.routes?.additionalProperties, title: "SshRoute" },
  { schema: team.routeDefaults, title: "SshRoute" },
  { schema: platform.gateway, title: "SshGateway" },
  { schema: platform.frp, title: "FrpServer" },
  { schema: platform.egressGateway, title: "EgressGateway" },
  { schema: platform.storageProxy, title: "StorageProxy" },
  { schema: platform.teams?.additionalProperties, title: "Team" },
];

/** Names of people and groups are keys by the time there is a container: the trial of `people`. */
const isPeople = (path: string) =>
  /(^|\.)(people|groups)$/.test(path) && !/^(access\.sshpod|deployers)/.test(path);

const untried = (paths: readonly string[], { trials }: TriedKind) =>
  paths.filter((path) => !isPeople(path) && trials[path] === undefined);

describe("the fields of a stack file", () => {
  it("are those of the components that it holds, and of a team", () => {
    expect(Object.keys(config).sort()).toEqual([
      "drawbridge:frpSeed",
      "drawbridge:hostKeySeed",
      "drawbridge:imageRegistry",
      "drawbridge:platform",
      "drawbridge:team",
    ]);
    const held = places.flatMap(({ schema }) => (schema === undefined ? [] : [schema]));
    expect(held).toHaveLength(places.length);
    const isHeld = (schema: Schema) =>
      held.includes(schema) || held.includes(schema.additionalProperties ?? {});
    const others = ([...Object.entries(platform), ...Object.entries(team)] as const).filter(
      ([, schema]) => !isHeld(schema),
    );
    const ofTeam = new Set(Object.keys(triedTeamFile.trials).map((path) => path.split(".")[0]));
    expect(others.map(([name]) => name).filter((name) => !ofTeam.has(name))).toEqual(["platform"]);
  });

  it.each(places)("have a trial each: $title $as", ({ schema, title, as }) => {
    const paths = fields(schema, as);
    expect(paths.length).toBeGreaterThan(2);
    expect(untried(paths, trialsOf(title))).toEqual([]);
  });
});

it("an edit of a container does what is said of it, and no more", () => doesWhatIsSaid("DevContainer", 8));
