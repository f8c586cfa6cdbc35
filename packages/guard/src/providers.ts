/** Programs that Pulumi starts: providers by their name, version and source. */
import type { Bounds } from "./bounds.ts";
import { type Change, kindOf, urnName, urnType } from "./change.ts";
import { crosses, type Effect, exactly, unknown } from "./effect.ts";
import type { Found } from "./ours/index.ts";
import { at } from "./values.ts";

/** The provider of a package, as a preview shows it. */
interface Provider {
  readonly name: string;
  readonly version: string | undefined;
  /** Its download address, or the plugin whose parameter it is; undefined for what Pulumi itself publishes. */
  readonly source: string | undefined;
}

/** Packages of what components make, and of references to stacks, each with the source that its schema names. */
const own: ReadonlyMap<string, string | undefined> = new Map([
  ["pulumi", undefined],
  ["kubernetes", undefined],
  ["kubernetes-cert-manager", undefined],
  ["drawbridge", "github://api.github.com/drawbridge-iac/drawbridge"],
]);

/** A digest leaves default providers out, and has them in the references of resources alone. */
export function providerEffects(changes: readonly Change[], bounds: Bounds): Found[] {
  const found = new Map<string, Found>();
  const steps = new Set(changes.map(({ urn }) => urn));
  const shown = changes.map((change) => ({ change, providers: providersOf(change, steps) }));
  const had = new Set(shown.flatMap(({ providers: [was] }) => (was === undefined ? [] : [sourceOf(was)])));
  for (const { change, providers } of shown) {
    const effect = kindEffect(change) ?? providerEffect(providers, had, bounds);
    // Every resource of a provider refers to it.
    if (effect !== undefined && !found.has(effect.text)) found.set(effect.text, { change, effect });
  }
  return [...found.values()];
}

type Pair<T> = readonly [was: T | undefined, is: T | undefined];

function providersOf(
  { type, isCustom, before, after, providers: [was, is] = [undefined, undefined] }: Change,
  steps: ReadonlySet<string>,
): Pair<Provider> {
  if (isCustom && type.startsWith("pulumi:providers:"))
    return [before && ofInputs(type, before), after && ofInputs(type, after)];
  // What has a step of its own is judged there.
  return is === undefined || steps.has(is)
    ? [undefined, undefined]
    : [was === undefined ? undefined : ofReference(was), ofReference(is)];
}

function ofInputs(type: string, inputs: unknown): Provider {
  const [version, address, internal] = [
    at(inputs, "version"),
    at(inputs, "pluginDownloadURL") ?? at(inputs, "__internal", "pluginDownloadURL"),
    at(inputs, "__internal", "parameterization") && (at(inputs, "__internal", "name") ?? "another package"),
  ];
  const source = [internal, address].filter((part) => part !== undefined && part !== "").map(String);
  return {
    name: nameIn(type),
    version: version === undefined ? undefined : inVersion(String(version)),
    source: source.length === 0 ? undefined : inSource(source.join(" ")),
  };
}

/** Of a default provider, whose name has version and address. */
function ofReference(reference: string): Provider {
  const given = urnName(reference);
  const name = nameIn(urnType(reference));
  const parts = /^default(?:_(\d+_\d+_\d+[\w-]*?))??(?:_([a-z][a-z0-9]*_\/.*))?$/.exec(given);
  if (parts === null) return { name, version: undefined, source: given };
  return { name, version: parts[1] && inVersion(parts[1]), source: parts[2] };
}

const nameIn = (type: string) => kindOf({ type });

/** As Pulumi writes them into the name of a default provider. */
const inVersion = (text: string) => text.replace(/\W/g, "_");
const inSource = (text: string) => text.replace(/[^\w./-]/g, "_").replace("//", "/");

const sourceOf = ({ name, source }: Provider) => JSON.stringify([name, source]);

function providerEffect(
  [was, is]: Pair<Provider>,
  had: ReadonlySet<string>,
  { providers, packages }: Bounds,
): Effect | undefined {
  if (is === undefined || JSON.stringify(was) === JSON.stringify(is)) return undefined;
  const { name, version, source } = is;
  const asked = providers.filter((one) => one.name === name);
  const isFrom = (address = own.get(name)) => address !== undefined && inSource(address) === source;
  const isPublished = source === undefined || isFrom();
  const isAsked = asked.some(
    (one) =>
      (one.version === undefined || inVersion(one.version) === version) &&
      (one.source === undefined ? isPublished : isFrom(one.source)),
  );
  const isKnown = had.has(sourceOf(is)) || (isPublished && (own.has(name) || packages.has(name)));
  if (asked.length > 0 ? isAsked : isKnown) return undefined;
  const of = version === undefined ? name : `${name} ${version.replaceAll("_", ".")}`;
  const from = source === undefined ? "" : ", with a source of its own,";
  return crosses(
    "provider-changed",
    exactly(`the provider ${of}${from} is none that the platform names`, is),
  );
}

const references = new Set(["pulumi:pulumi:Stack", "pulumi:pulumi:StackReference"]);

/** What is Pulumi's own by its type, and what another package's provider makes. */
function kindEffect({
  type,
  isCustom,
  op,
  after,
  providers = [undefined, undefined],
}: Change): Effect | undefined {
  const [was, is] = providers;
  if (!isCustom || after === undefined || op === "same") return undefined;
  if (type.startsWith("pulumi:"))
    return type.startsWith("pulumi:providers:") || references.has(type)
      ? undefined
      : unknown("unknown-kind", `what a ${type} gives is not known`);
  return is === undefined || is === was || nameIn(urnType(is)) === type.split(":")[0]
    ? undefined
    : crosses("provider-changed", `a provider of ${nameIn(urnType(is))} makes this ${type}`);
}
