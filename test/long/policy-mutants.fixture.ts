/** Policies with one part taken away each: a conjunct, an alternative, an element of a list, a rule, a verb, a kind. */
import type { AdmissionPolicy } from "../../packages/drawbridge/src/kubernetes/admission.ts";

export interface Mutant {
  readonly name: string;
  readonly policy: AdmissionPolicy;
}

/** A text and where its parts stand. */
interface Part {
  readonly from: number;
  readonly to: number;
}

const pairs: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** Where a quoted text or a bracket that begins at `at` ends; `at` itself for anything else. */
function endOf(text: string, at: number): number {
  const open = text[at] as string;
  if (open === "'" || open === '"') return text.indexOf(open, at + 1);
  const close = pairs[open];
  if (close === undefined) return at;
  let here = at + 1;
  while (text[here] !== close) here = endOf(text, here) + 1;
  return here;
}

/** Cuts the part at an operator that stands in no bracket. */
function split(text: string, { from, to }: Part, operator: string): Part[] {
  const parts: Part[] = [];
  let begin = from;
  for (let here = from; here < to; here = endOf(text, here) + 1) {
    if (!text.startsWith(operator, here)) continue;
    parts.push({ from: begin, to: here });
    begin = here + operator.length;
  }
  return [...parts, { from: begin, to }];
}

/** Texts of an expression with one thing in it changed, each with what was taken. */
export function weakened(text: string): { readonly text: string; readonly taken: string }[] {
  const found: { text: string; taken: string }[] = [];
  const put = ({ from, to }: Part, value: string) => {
    const taken = text.slice(from, to).trim();
    found.push({ text: `${text.slice(0, from)}${value}${text.slice(to)}`, taken: `${taken} -> ${value}` });
  };
  const visit = (part: Part): void => {
    const [condition, ...branches] = split(text, part, " ? ");
    if (condition !== undefined && branches.length > 0) {
      put(condition, "true");
      put(condition, "false");
      for (const branch of branches.flatMap((one) => split(text, one, " : "))) visit(branch);
      visit(condition);
      return;
    }
    for (const [operator, neutral] of [
      [" || ", " false "],
      [" && ", " true "],
    ] as const) {
      const operands = split(text, part, operator);
      if (operands.length === 1) continue;
      for (const operand of operands) {
        put(operand, neutral);
        visit(operand);
      }
      return;
    }
    for (let here = part.from; here < part.to; here = endOf(text, here) + 1) {
      if (pairs[text[here] as string] === undefined) continue;
      const inside = split(text, { from: here + 1, to: endOf(text, here) }, ",");
      // A list, not an index behind a name.
      if (text[here] === "[" && !/[\w)\]]/.test(text[here - 1] ?? "") && inside.length > 1) {
        for (const [index, element] of inside.entries()) {
          put(
            index === 0
              ? { from: element.from, to: element.to + 1 }
              : { from: element.from - 1, to: element.to },
            "",
          );
        }
      }
      for (const element of inside) visit(element);
    }
  };
  visit({ from: 0, to: text.length });
  return found;
}

/** The list without each of its elements in turn. */
function shorter<T>(list: readonly T[]): { readonly rest: T[]; readonly gone: T }[] {
  return list.map((gone, index) => ({ rest: list.filter((_, other) => other !== index), gone }));
}

export function mutantsOf(policy: AdmissionPolicy): Mutant[] {
  const title = `policy "${policy.name}"`;
  const mutant = (what: string, change: Partial<AdmissionPolicy>): Mutant => ({
    name: `${title}: ${what}`,
    policy: { ...policy, ...change },
  });
  const { requests, rules, variables = [], conditions = [] } = policy;
  const requestsWith = (index: number, change: object) =>
    requests.map((one, other) => (other === index ? { ...one, ...change } : one));
  return [
    ...requests.flatMap(({ resources, operations = ["CREATE", "UPDATE"] }, index) => [
      ...(operations.length === 1 ? [] : shorter(operations)).map(({ rest, gone }) =>
        mutant(`without ${gone} of ${resources.join()}`, {
          requests: requestsWith(index, { operations: rest }),
        }),
      ),
      ...(resources.length === 1 ? [] : shorter(resources)).map(({ rest, gone }) =>
        mutant(`without ${gone}`, { requests: requestsWith(index, { resources: rest }) }),
      ),
    ]),
    ...(requests.length === 1 ? [] : shorter(requests)).map(({ rest, gone }) =>
      mutant(`without ${gone.apiGroup} ${gone.resources.join()}`, { requests: rest }),
    ),
    ...(policy.inTeams === true ? [mutant("in every namespace", { inTeams: false })] : []),
    ...(policy.objects === undefined ? [] : [mutant("for every object", { objects: {} })]),
    ...shorter(conditions).map(({ rest, gone }) =>
      mutant(`without condition ${gone.name}`, { conditions: rest }),
    ),
    ...shorter(rules).map(({ rest, gone }) =>
      mutant(`without rule ${gone.expression}`, {
        rules: rest.length > 0 ? rest : [{ expression: "true", message: "never" }],
      }),
    ),
    ...conditions.flatMap((one, index) =>
      weakened(one.expression).map(({ text, taken }) =>
        mutant(`condition ${taken}`, { conditions: conditions.with(index, { ...one, expression: text }) }),
      ),
    ),
    ...variables.flatMap((one, index) =>
      weakened(one.expression).map(({ text, taken }) =>
        mutant(`variable ${one.name}: ${taken}`, {
          variables: variables.with(index, { ...one, expression: text }),
        }),
      ),
    ),
    ...rules.flatMap((one, index) =>
      weakened(one.expression).map(({ text, taken }) =>
        mutant(`rule ${index + 1}: ${taken}`, { rules: rules.with(index, { ...one, expression: text }) }),
      ),
    ),
  ];
}
