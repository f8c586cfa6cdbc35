/** Namespaces: Pod Security, and the marks by which the platform's policies know a team's. */
import { at } from "../finding.ts";
import { type Inputs, mapAt, type ObjectPair } from "../objects.ts";
import { crosses, type Effect, gains } from "./effect.ts";

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

export function namespaceEffects({ before, after }: ObjectPair): Effect[] {
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
      .filter((name) => old[name] !== now[name])
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
