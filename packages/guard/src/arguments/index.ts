/** What an edit of a component's arguments opens and closes. */
import type { Bounds } from "../bounds.ts";
import type { Change } from "../change.ts";
import { crosses, type Effect, gains, loses } from "../effect.ts";
import type { ObjectPair } from "../objects.ts";
import { components } from "../ours/components.ts";
import { at, hasHidden } from "../values.ts";
import type { Judging } from "./judging.ts";
import { type Namespaces, places } from "./places.ts";
import { type ArgumentChange, argumentChanges } from "./rows.ts";
import { hidden, knownSetEffects, setEffects, textOf } from "./sets.ts";
import { covers } from "./walls.ts";

/** Components that are the platform's: what they open when they are made is what they are made for. */
const platforms = new Set(["SshGateway", "FrpServer", "StorageProxy", "TeamPolicies"]);

/** @param change of a component of ours that is there afterwards */
export function argumentEffects(
  { type, name, before, after = {} }: Change,
  pairs: readonly ObjectPair[],
  bounds: Bounds,
  namespaces: Namespaces,
): Effect[] {
  const kind = type.split(":").at(-1) ?? "";
  const schema = components[kind]?.args;
  if (schema === undefined) return [];
  const isFirst = before === undefined && platforms.has(kind);
  const placed = before === undefined ? places({ kind, name, after }, namespaces) : [];
  const found = argumentChanges(schema, before, after).flatMap((change) => {
    if (change.isHiddenGroup && before !== undefined) return [hidden(change.path)];
    const [rule, opens] = covers[`${kind}.${change.path}`] ?? [];
    if (rule !== undefined && change.is === undefined)
      return [crosses(rule, `${change.path} is left out: ${opens}`)];
    const judging = { ...change, kind, name, before, after, pairs, bounds };
    return change.wall === undefined ? dailyEffects(change, before) : wallEffects(change, judging);
  });
  const effects = [...placed, ...found];
  return isFirst ? effects.map(({ text }) => gains(text)) : effects;
}

/** Within the walls: sets tell who comes and goes, one value in the place of another tells both. */
function dailyEffects(change: ArgumentChange, before: unknown): Effect[] {
  const { path, was, is, effect, isList, isBack, deciding } = change;
  const does = (what: "opens" | "closes") => effect.includes(what);
  const [opens, closes] = isBack ? [does("closes"), does("opens")] : [does("opens"), does("closes")];
  if (!opens && !closes) return [];
  const decided = (list: unknown) =>
    deciding === undefined || !Array.isArray(list)
      ? list
      : list.map((item) => Object.fromEntries(deciding.map((name) => [name, at(item, name)])));
  if (isList) return setEffects({ path, was: decided(was), is: decided(is) }, gains);
  // The name and place of a new component are no news.
  if (before === undefined) return [];
  const text = `${path}: ${textOf(was)} → ${textOf(is)}`;
  const [comes, goes] = [isGroup(is) && was === undefined, isGroup(was) && is === undefined];
  return [...(opens && !goes ? [gains(text)] : []), ...(closes && !comes ? [loses(text)] : [])];
}

const isGroup = (value: unknown) => typeof value === "object" && value !== null;

function wallEffects(change: ArgumentChange, judging: Judging): readonly Effect[] {
  const { wall, path, was, is, isList, effect } = change;
  if (wall === undefined) return [];
  if (wall.judge !== undefined) return wall.judge(judging);
  // The name of a new component is no news.
  if (wall.isName && judging.before === undefined) return [];
  const isDaily = wall.edit === true && (judging.before === undefined || change.isGroupNew);
  const found = isDaily ? gains : (text: string) => crosses(wall.rule, text);
  if (isList && !wall.edit) return knownSetEffects({ path, was, is }, found);
  if (hasHidden(is)) return isDaily ? [] : [hidden(path)];
  const text = `${path}: ${textOf(was)} → ${textOf(is)}`;
  // A name that is left out is another one.
  const isGone = is === undefined && (!wall.isName || change.isGroupGone);
  if (isGone || wall.at?.(is, was) === false) return [loses(text)];
  return [found(text), ...(effect.includes("closes") && !isDaily ? [loses(text)] : [])];
}
