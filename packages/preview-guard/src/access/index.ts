/** Changes of access in a preview. */
import { at } from "../finding.ts";
import { isChanged, mapAt, type ObjectPair, objectPairs, objectTitle } from "../objects.ts";
import type { Change } from "../preview.ts";
import { type Bounds, noBounds } from "./bounds.ts";
import type { AccessContext, KindJudge } from "./context.ts";
import { type Effect, unknown } from "./effect.ts";
import { judgeOf } from "./kinds.ts";
import { hiddenPaths } from "./placeholder.ts";

/** An effect with its object. */
export type AccessEffect = Effect & {
  /** `NetworkPolicy team-a/dev1`. */
  readonly object: string;
  readonly pair: ObjectPair;
};

export function accessEffects(changes: readonly Change[], bounds: Bounds = noBounds): AccessEffect[] {
  const context: AccessContext = { pairs: objectPairs(changes), bounds };
  return context.pairs
    .filter(isChanged)
    .flatMap((pair) =>
      effectsOf(pair, context).map((effect) => ({ ...effect, object: objectTitle(pair), pair })),
    );
}

function effectsOf(pair: ObjectPair, context: AccessContext): readonly Effect[] {
  const judge = judgeOf(pair);
  if (judge === undefined)
    return [unknown("unknown-kind", `this version does not know what a ${pair.type} gives`)];
  const disguised = disguise(pair);
  if (disguised !== undefined) return [disguised];
  return [...hidden(pair, judge), ...unheardOf(pair, judge), ...judge.effects(pair, context)];
}

/** The provider makes what `kind` says, whatever the resource is called in Pulumi. */
function disguise({ groupKind, kind, after, type }: ObjectPair): Effect | undefined {
  const said = at(after, "kind");
  const version = at(after, "apiVersion");
  if (groupKind === undefined || said === undefined) return undefined;
  const group = String(version).includes("/") ? String(version).split("/")[0] : "core";
  return said === kind && (version === undefined || groupKind === `${group}/${kind}`)
    ? undefined
    : unknown("unknown-kind", `it says that it is a ${version} ${said}, and is registered as ${type}`);
}

function hidden(pair: ObjectPair, judge: KindJudge): Effect[] {
  if (pair.after === undefined) return [];
  const was = pair.before === undefined ? undefined : JSON.stringify(judge.deciding(pair.before, pair));
  const is = judge.deciding(pair.after, pair);
  if (was === JSON.stringify(is)) return [];
  const { namespace } = mapAt(pair.after, "metadata");
  return Object.entries({
    ...is,
    ...(Object.keys(is).length === 0 ? {} : { "metadata.namespace": namespace }),
  })
    .flatMap(([name, value]) => hiddenPaths(value, name))
    .map((path) => unknown("unknown-value", `${path} is not known before \`pulumi up\`, or secret`));
}

function unheardOf(pair: ObjectPair, judge: KindJudge): Effect[] {
  const find = judge.unknownFields;
  if (find === undefined || pair.after === undefined) return [];
  const known = pair.before === undefined ? [] : find(pair.before, pair);
  return find(pair.after, pair)
    .filter((path) => !known.includes(path))
    .map((path) => unknown("unknown-field", `${path} is a field that this version does not know`));
}
