/** Namespaces: Pod Security, and the marks by which the platform's policies know those of teams. */
import { at } from "../finding.ts";
import { type Inputs, mapAt, type ObjectPair } from "../objects.ts";
import type { AccessContext } from "./context.ts";
import { crosses, type Effect, gains, loses } from "./effect.ts";
import { beyond, type Flow, flowsOf, inside, showRanges } from "./flow.ts";

const levels = ["privileged", "baseline", "restricted"];
const enforce = "pod-security.kubernetes.io/enforce";

export function namespaceDeciding(inputs: Inputs): Record<string, unknown> {
  return { labels: at(inputs, "metadata", "labels"), annotations: marks(inputs) };
}

function marks(inputs: Inputs | undefined): Record<string, unknown> {
  const all = { ...mapAt(inputs, "metadata", "labels"), ...mapAt(inputs, "metadata", "annotations") };
  return Object.fromEntries(Object.entries(all).filter(([name]) => isMark(name)));
}

const isMark = (name: string) =>
  /^([a-z0-9.-]+\.)?drawbridge\.dev\//.test(name) ||
  /^(istio\.io\/|istio-injection$|topology\.istio\.io\/)/.test(name);

/** Private networks that all pods of the namespace may reach. */
const egressAllow = "drawbridge.dev/egress-allow";
/** Label by which a namespace stays out of Istio's ambient mesh. */
const outOfAmbient = ["istio.io/dataplane-mode", "none"] as const;

function allowed(inputs: Inputs | undefined): Flow[] {
  const text = String(at(inputs, "metadata", "annotations", egressAllow) ?? "");
  const to = text.split(",").filter((cidr) => cidr !== "");
  return to.length === 0 ? [] : flowsOf({ to: to.map((cidr) => ({ ipBlock: { cidr } })) }, "to", "");
}

function networks({ before, after }: ObjectPair, { bounds }: AccessContext): Effect[] {
  const [was, is] = [allowed(before), allowed(after)];
  const gained = beyond(is, was);
  const known = inside(gained, bounds.networks);
  return [
    ...showRanges(known).map((text) => gains(`its pods may be let out to ${text}`)),
    ...showRanges(beyond(gained, known)).map((text) =>
      crosses("network-wall", `its pods may be let out to the private network ${text}`),
    ),
    ...showRanges(beyond(was, is)).map((text) => loses(`its pods may no longer be let out to ${text}`)),
  ];
}

export function namespaceEffects(pair: ObjectPair, context: AccessContext): Effect[] {
  return pair.after === undefined ? labelEffects(pair) : [...labelEffects(pair), ...networks(pair, context)];
}

function labelEffects({ before, after }: ObjectPair): Effect[] {
  if (after === undefined)
    return [crosses("wall-removed", "the namespace would be deleted with all that is in it")];
  const [was, is] = [levelOf(before), levelOf(after)];
  if (before === undefined) {
    const isLow = is < levels.indexOf("baseline");
    return [isLow ? gains("it is new, with no Pod Security enforced") : gains("it is new")];
  }
  const version = `${enforce}-version`;
  const pinned = at(before, "metadata", "labels", version) !== at(after, "metadata", "labels", version);
  const [old, now] = [marks(before), marks(after)];
  return [
    ...(is < was
      ? [crosses("pod-security-lowered", `Pod Security ${levels[was]} → ${levels[Math.max(is, 0)]}`)]
      : []),
    ...(pinned && is <= was
      ? [crosses("pod-security-lowered", "Pod Security would be that of another version")]
      : []),
    ...Object.keys({ ...old, ...now })
      .filter((name) => old[name] !== now[name] && name !== egressAllow)
      .filter((name) => old[name] !== undefined || name !== outOfAmbient[0] || now[name] !== outOfAmbient[1])
      .map((name) =>
        old[name] === undefined && name === "drawbridge.dev/team"
          ? gains(`it is marked as the team ${now[name]}`)
          : crosses(
              "pod-security-lowered",
              `the mark ${name}: ${old[name] ?? "none"} → ${now[name] ?? "none"}`,
            ),
      ),
  ];
}

function levelOf(inputs: Inputs | undefined): number {
  const level = at(inputs, "metadata", "labels", enforce);
  return level === undefined ? 0 : levels.indexOf(String(level));
}
