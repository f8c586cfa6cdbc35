import { accessRules } from "@drawbridge-iac/drawbridge/src/kit/guard";
import { type Acceptable, type Acceptance, accepts, holds } from "./acceptances.ts";
import { type Bounds, noBounds } from "./bounds.ts";
import type { Failure } from "./completeness.ts";
import { unjudgedRules } from "./effect.ts";
import { type Judged, judgements } from "./judgement.ts";
import type { Preview } from "./preview.ts";
import { rules } from "./rules.ts";
import type { NamingStack } from "./stacks.ts";

/** A danger, or a change that cannot be judged. */
export interface Finding extends Acceptable {
  /** The component that it is about, or else the resource, by the logical name. */
  readonly about: string;
}

/** The guard's verdict on a preview. */
export interface Verdict {
  /** 0: judged, nothing dangerous. 1: judged, dangerous. 2: not judged, whatever else was found. */
  readonly code: 0 | 1 | 2;
  readonly refused: readonly Finding[];
  readonly unjudged: readonly Finding[];
  /** The preview itself failed, was cut short, or holds nothing. */
  readonly failures: readonly Failure[];
  /** Found, and accepted by someone. */
  readonly accepted: readonly (Finding & { readonly until: string })[];
  /** Acceptances whose day has passed. */
  readonly expired: readonly Acceptance[];
  /** Access gained and lost that crosses no boundary. */
  readonly access: readonly Judged[];
  /** URNs of what changes and no component made. */
  readonly foreign: ReadonlySet<string>;
  /** Whether the preview's form leaves options out. */
  readonly isOfEvents: boolean;
}

/** Names of all findings that can be accepted, with what each protects. */
export const findingNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries(rules.map(({ name, protects }) => [name, protects])),
  ...accessRules,
  ...unjudgedRules,
};

/**
 * @param besides dangers that no preview shows
 * @param stacks the project's, which say where each team is
 */
export function judge(
  { changes, failures, isOfEvents = false }: Preview,
  acceptances: readonly Acceptance[],
  today: Date,
  bounds: Bounds = noBounds,
  besides: readonly Finding[] = [],
  stacks?: readonly NamingStack[],
): Verdict {
  const { effects, foreign } = judgements(changes, bounds, stacks);
  const found = (kind: Judged["effect"]) =>
    effects.flatMap((one): Finding[] =>
      one.effect === kind && "rule" in one
        ? [{ rule: one.rule, object: one.object, text: one.text, about: one.about }]
        : [],
    );
  const dangerous = distinct([...besides, ...found("crosses")]);
  const unseen = distinct(found("unknown"));
  const current = acceptances.filter((one) => holds(one, today));
  const accepted = (finding: Finding) => current.find((one) => accepts(one, finding));
  const refused = dangerous.filter((finding) => accepted(finding) === undefined);
  const unjudged = unseen.filter((finding) => accepted(finding) === undefined);
  return {
    code: failures.length + unjudged.length > 0 ? 2 : refused.length > 0 ? 1 : 0,
    refused,
    unjudged,
    failures,
    accepted: [...dangerous, ...unseen].flatMap((finding) => {
      const until = accepted(finding)?.until;
      return until === undefined ? [] : [{ ...finding, until }];
    }),
    expired: acceptances.filter((one) => !holds(one, today)),
    access: effects.filter(({ effect }) => effect === "gains" || effect === "loses"),
    foreign,
    isOfEvents,
  };
}

/** A replacement comes as several steps of one resource; its finding is told once. */
function distinct(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((one) => [JSON.stringify(one), one])).values()];
}
