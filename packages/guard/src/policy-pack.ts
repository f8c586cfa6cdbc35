/**
 * A policy pack of the same judge. Pulumi shows it every resource as it will be, with its secrets, and at `up` all that
 * was unknown; no older state, and no deletion. It judges objects, and leaves edits of arguments to the preview.
 */
import { PolicyPack, type ReportViolation, type ResourceValidationArgs } from "@pulumi/policy";
import { type Acceptable, accepts, holds, parseAcceptances } from "./acceptances.ts";
import { type Bounds, parseBounds } from "./bounds.ts";
import { type Change, toChange } from "./change.ts";
import { versionFailures } from "./completeness.ts";
import { unknown } from "./effect.ts";
import { findingNames } from "./guard.ts";
import { identityEffects } from "./identities.ts";
import { imageEffects } from "./images.ts";
import { type Judged, named, objectEffects } from "./judgement.ts";
import { objectPairs } from "./objects.ts";
import { componentOf, type Generated, generatedOf } from "./ours/components.ts";
import { changed, type Found } from "./ours/index.ts";
import { providerEffects } from "./providers.ts";
import { at, unknownText } from "./values.ts";

interface Settings {
  readonly bounds: Bounds;
  readonly isAccepted: (finding: Acceptable) => boolean;
}

/** As a preview shows it: reading a value that is not known yet throws. */
function shown(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.keys(value).map((key): [string, unknown] => {
    try {
      return [key, shown(at(value, key))];
    } catch {
      return [key, unknownText];
    }
  });
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

function changeOf({ type, urn, props, opts, provider }: ResourceValidationArgs): Change {
  const custom = provider !== undefined || type.startsWith("pulumi:");
  const inputs = shown(props) as Record<string, unknown>;
  const { parent, ignoreChanges } = opts;
  const newState = { type, urn, inputs, custom, ignoreChanges, ...(parent && { parent }) };
  const change = toChange({ op: "create", urn, newState });
  // Whether an object is kept when it is deleted, a pack is not told.
  return {
    ...change,
    provider: provider?.urn,
    providers: [undefined, provider?.urn],
    options: { kept: true, ignoreChanges },
  };
}

/** What was shown, by URN: a component before its objects. */
const seen = new Map<string, Change>();
const made = new Map<string, Generated | string>();

/** An object of a component's, before it is made. */
function ofComponent(change: Change): readonly Found[] {
  const parent = seen.get(change.parent ?? "");
  if (parent === undefined || componentOf(parent.type) === undefined) return [];
  const own = made.get(parent.urn) ?? generatedOf(parent.urn, parent.after ?? {});
  made.set(parent.urn, own);
  if (typeof own === "string")
    return [{ change, effect: unknown("unknown-value", `its component's arguments cannot be read: ${own}`) }];
  const object = own.objects.get(change.urn);
  return object === undefined ? [] : changed(change, object, undefined, false, true);
}

/** What of these is neither accepted nor told; at the end of a preview and of `up` everything is looked at once more. */
const told = new Set<string>();
function tell(findings: readonly Judged[], { isAccepted }: Settings, report: ReportViolation): void {
  for (const finding of findings) {
    if (!("rule" in finding) || isAccepted(finding)) continue;
    const text = `${finding.rule} ${finding.object}: ${finding.text}`;
    if (!told.has(text)) report(text);
    told.add(text);
  }
}

let settings: Settings | undefined;

/** Read once: a pack's configuration is the same for every resource. */
function settingsOf({ bounds = {}, accepted = [] }: { bounds?: unknown; accepted?: unknown }): Settings {
  if (settings !== undefined) return settings;
  const today = new Date();
  const acceptances = parseAcceptances(accepted, "accepted", Object.keys(findingNames), today);
  const current = acceptances.filter((one) => holds(one, today));
  settings = {
    bounds: parseBounds(bounds, "bounds"),
    isAccepted: (finding) => current.some((one) => accepts(one, finding)),
  };
  return settings;
}

new PolicyPack("drawbridge", {
  enforcementLevel: "mandatory",
  policies: [
    {
      name: "objects",
      description: "What a component made is what its arguments say; what none made is known to be harmless.",
      configSchema: { properties: { bounds: { type: "object" }, accepted: { type: "array" } } },
      validateResource: (args, report) => {
        const change = changeOf(args);
        seen.set(change.urn, change);
        const found = ofComponent(change);
        tell(named(objectPairs([change]), found), settingsOf(args.getConfig()), report);
      },
      validateStack: ({ getConfig }, report) => {
        const changes = [...seen.values()];
        const pairs = objectPairs(changes);
        const settings = settingsOf(getConfig());
        const { bounds } = settings;
        const found = [
          ...objectEffects(changes, pairs, bounds),
          ...identityEffects(changes, false),
          ...providerEffects(changes, bounds),
          // Without a list only what was there before tells.
          ...imageEffects(changes, bounds, true),
        ];
        for (const { text } of versionFailures(changes)) report(text);
        tell(named(pairs, found), settings, report);
      },
    },
  ],
});
