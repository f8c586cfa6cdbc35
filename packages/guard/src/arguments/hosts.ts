/** Hosts of the internet that a container may reach by name. */
import { isHostWithin } from "@drawbridge-iac/drawbridge/src/host/egress/contract";
import { crosses, type Effect, gains, loses } from "../effect.ts";
import { at, hasHidden } from "../values.ts";
import type { Judging } from "./judging.ts";
import { hidden, itemsOf } from "./sets.ts";

/** A further host is everyday work, within what the platform lets the team name; every host at once is not. */
export function hosts({ was, is, path, before, after, bounds, wall: { rule } }: Judging): Effect[] {
  if (hasHidden(is)) return [hidden(path)];
  if (is === undefined) {
    return at(at(after, "egress"), "internet") === false
      ? [loses(`${path} is left out, and the internet is not reached`)]
      : [crosses(rule, `${path} is left out: the whole internet may be reached`)];
  }
  const old = [...itemsOf(was).keys()];
  const now = [...itemsOf(is).keys()];
  const most = bounds.teams[String(after.namespace)]?.egress?.hosts;
  const isAllowed = (host: string) => most === undefined || most.some((bound) => isHostWithin(host, bound));
  const had = (host: string) => old.some((one) => isHostWithin(host, one));
  const closes = was === undefined && before !== undefined;
  return [
    ...now
      .filter((host) => !had(host))
      .map((host) =>
        isAllowed(host)
          ? gains(`${path} opens ${host}`)
          : crosses(
              rule,
              `${path} opens ${host}, which is beyond what the bounds let ${after.namespace} name`,
            ),
      ),
    ...old.filter((host) => !now.includes(host)).map((host) => loses(`${path} no longer opens ${host}`)),
    ...(closes ? [loses(`${path} closes the rest of the internet`)] : []),
  ];
}
