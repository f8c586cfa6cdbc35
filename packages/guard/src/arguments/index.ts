/** What an edit of a component's arguments opens and closes. */
import type { Wall } from "@drawbridge-iac/drawbridge/src/kit/guard";
import type { Bounds } from "../bounds.ts";
import { type Change, kindOf } from "../change.ts";
import { crosses, type Effect, gains, loses } from "../effect.ts";
import type { ObjectPair } from "../objects.ts";
import { componentOf } from "../ours/components.ts";
import { at, hasHidden } from "../values.ts";
import { openInternet } from "./hosts.ts";
import { judges } from "./judges.ts";
import type { Judging } from "./judging.ts";
import { type Namespaces, places } from "./places.ts";
import { type ArgumentChange, argumentChanges } from "./rows.ts";
import { hidden, knownSetEffects, setEffects, textOf } from "./sets.ts";

/** @param change of a component of ours that is there afterwards */
export function argumentEffects(
  { type, name, before, after = {} }: Change,
  pairs: readonly ObjectPair[],
  bounds: Bounds,
  namespaces: Namespaces,
): Effect[] {
  const kind = kindOf({ type });
  const component = componentOf(type);
  if (component === undefined) return [];
  // What the walls of the platform open when they are made is what they are made for.
  const isFirst = before === undefined && component.isWall === true && component.place !== "team";
  // What is moved comes there as what is new does; members and platforms have a wall of their own for it.
  const isMoved = component.place === "inside" && before?.namespace !== after.namespace;
  const placed = before === undefined || isMoved ? places(component, { name, after }, namespaces) : [];
  const changes = argumentChanges(component.args, before, after);
  const taken = before === undefined ? changes.filter(({ takes }) => takes) : [];
  const found = changes.flatMap((change) => {
    if (change.isHiddenGroup && before !== undefined) return [hidden(change.path)];
    const { path, is, wall, leftOut } = change;
    if (leftOut !== undefined && is === undefined)
      return [crosses(leftOut.rule, `${path} is left out: ${leftOut.opens}`)];
    const judging = { kind, name, before, after, pairs, bounds };
    return wall === undefined
      ? dailyEffects(change, before)
      : wallEffects(change, { ...change, ...judging, wall });
  });
  const takes = taken.map(({ path, is }) => gains(`${path}: ${textOf(is)}`));
  const open = component.reachesInternet === true ? openInternet(before, after, bounds) : [];
  const effects = [...placed, ...takes, ...found, ...open];
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

const isCrossed = ({ when, unless }: Wall, value: unknown) =>
  when === undefined ? unless === undefined || value !== unless : value === when;

function wallEffects(change: ArgumentChange, judging: Judging): readonly Effect[] {
  const { path, was, is, isList, effect } = change;
  const { wall } = judging;
  if (wall.judge !== undefined) return judges[wall.judge](judging);
  // The name of a new component is no news.
  if (wall.isName && judging.before === undefined) return [];
  const isDaily = wall.isLater === true && (judging.before === undefined || change.isGroupNew);
  const found = isDaily ? gains : (text: string) => crosses(wall.rule, text);
  if (isList && !wall.isLater) return knownSetEffects({ path, was, is }, found);
  if (hasHidden(is)) return isDaily ? [] : [hidden(path)];
  const text = `${path}: ${textOf(was)} → ${textOf(is)}`;
  // A name that is left out is another one.
  const isGone = is === undefined && (!wall.isName || change.isGroupGone);
  if (isGone || !isCrossed(wall, is)) return [loses(text)];
  return [found(text), ...(effect.includes("closes") && !isDaily ? [loses(text)] : [])];
}
