/** Judges of whose account acts: inside a container, and on it. */
import { type Effect, gains, loses } from "../effect.ts";
import { at } from "../finding.ts";
import type { Judging } from "./judging.ts";

/** As which account a container runs: without a name it is one of its own, or the namespace's. */
export function account({ path, name, before, after }: Judging): Effect[] {
  const of = (args: unknown) =>
    at(args, "serviceAccount", "name") ?? (at(args, "serviceAccount", "create") === true ? name : "default");
  const [was, is] = [before && of(before), of(after)];
  const isToldByName =
    path.endsWith("create") && at(before, "serviceAccount", "name") !== at(after, "serviceAccount", "name");
  if (was === is || isToldByName) return [];
  return [gains(`${name} runs as the account ${is}${was === undefined ? "" : `, no longer as ${was}`}`)];
}

/** Who stops and starts a container that sleeps. */
export function sleep({ path, name, before, after }: Judging): Effect[] {
  const sleeps = (args: unknown) => at(args, "idle") !== undefined && at(args, "idle", "enabled") !== false;
  const isNews = before !== undefined && sleeps(before) !== sleeps(after) && /^idle(\.enabled)?$/.test(path);
  if (!isNews) return [];
  return [
    sleeps(after)
      ? gains(`the gateway's accounts may stop and start ${name}`)
      : loses(`the gateway's accounts may no longer stop and start ${name}`),
  ];
}
