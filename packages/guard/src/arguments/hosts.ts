/** Hosts of the internet that a container may reach by name. */
import { isHostWithin } from "@drawbridge-iac/drawbridge/src/host/egress/contract";
import { openTo } from "@drawbridge-iac/drawbridge/src/host/egress/public-suffix";
import type { Bounds } from "../bounds.ts";
import { crosses, type Effect, gains, loses } from "../effect.ts";
import { at, hasHidden, type Inputs } from "../values.ts";
import type { Judging } from "./judging.ts";
import { hidden, itemsOf } from "./sets.ts";

const ofCustomers =
  "every name of which is another customer's of the same provider; name those that are meant, or let the bounds name it";

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
  const most = hostsOf(after, bounds);
  const isAllowed = (host: string) => most === undefined || most.some((bound) => isHostWithin(host, bound));
  const had = (host: string) => old.some((one) => isHostWithin(host, one));
  const closes = was === undefined && before !== undefined;
  return [
    ...now
      .filter((host) => !had(host))
      .map((host) => {
        const opens = `${path} opens ${host}`;
        if (!isAllowed(host))
          return crosses(rule, `${opens}, which is beyond what the bounds let ${after.namespace} name`);
        // What the platform has named itself it has looked at; by a wider wildcard it may not know of this one.
        return openTo(host) !== undefined && !most?.some((bound) => nameIn(bound) === nameIn(host))
          ? crosses(rule, `${opens}, ${ofCustomers}`)
          : gains(opens);
      }),
    ...old.filter((host) => !now.includes(host)).map((host) => loses(`${path} no longer opens ${host}`)),
    ...(closes ? [loses(`${path} closes the rest of the internet`)] : []),
  ];
}

/** A declared host without its ports. */
const nameIn = (host: string) => host.split(":")[0];

/** What the bounds let a container's team name at most; undefined for every host. */
export const hostsOf = ({ namespace }: Inputs, { teams }: Bounds) => teams[String(namespace)]?.egress?.hosts;

/** Whether a container reaches every address of the internet: what it names is no list of its own yet. */
const isOpen = ({ egress }: Inputs) => at(egress, "hosts") === undefined && at(egress, "internet") !== false;

/** A container without hosts, in a team that the bounds let reach the internet by name alone. */
export function openInternet(before: Inputs | undefined, after: Inputs, bounds: Bounds): Effect[] {
  if (hostsOf(after, bounds) === undefined || !isOpen(after)) return [];
  // What was there already was judged when it came, and hosts that are left out are judged above.
  const isKnown = before !== undefined && before.namespace === after.namespace;
  if (isKnown && (isOpen(before) || at(before.egress, "hosts") !== undefined)) return [];
  const text = `egress opens the whole internet, and the bounds let ${after.namespace} reach hosts by name alone; set hosts, or internet: false`;
  return [crosses("network-wall", text)];
}
