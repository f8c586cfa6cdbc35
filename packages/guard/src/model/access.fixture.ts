/** Random edits, judged, beside what the model says of them. */
import fc from "fast-check";
import type { Title } from "../../../../scripts/lib/trials/index.ts";
import { parseBounds } from "../bounds.ts";
import { judge } from "../guard.ts";
import { generatedOf } from "../ours/components.ts";
import { edited, today, whole } from "../sample.fixture.ts";
import { container, injected, route } from "./hosts.fixture.ts";
import { egressGateway, frp, gateway, members, storage, storageProxy, team } from "./platform.fixture.ts";
import { type Edit, edits } from "./random-args.fixture.ts";
import type { Args } from "./rights.fixture.ts";

const rights: Readonly<Partial<Record<Title, (args: Args, name: string) => readonly string[]>>> = {
  DevContainer: container,
  EgressGateway: egressGateway,
  FrpServer: frp,
  InjectedSshd: injected,
  SshGateway: gateway,
  SshRoute: route,
  StorageAccessor: storage,
  StorageProxy: storageProxy,
  Team: team,
  TeamMembers: members,
};

/** What other components open, nobody needs to hear of. */
const rightsOf = (kind: Title) => rights[kind] ?? (() => []);

function isValid(kind: Title, args: Args): boolean {
  try {
    return typeof generatedOf(`urn:pulumi:stack::project::drawbridge:index:${kind}::it`, args) !== "string";
  } catch {
    return false;
  }
}

// What an argument refers to is the team's own.
const bounds = parseBounds({ namespaces: ["team-a"] }, "bounds");

export interface Comparison {
  /** Edits that gave access. */
  readonly grown: number;
  /** Access that grew without a word. */
  readonly silent: readonly string[];
  /** What the guard says where no access grew (kind, then argument or rule), each with the first such edit. */
  readonly spoken: ReadonlyMap<string, string>;
}

/** Tries edits that change the arguments, which are valid before and after. */
export function compareWithModel(runs: number, seed: number): Comparison {
  const silent: string[] = [];
  const spoken = new Map<string, string>();
  let grown = 0;
  for (const edit of fc.sample(edits(), { numRuns: runs, seed })) {
    const { kind, before, after } = edit;
    if (JSON.stringify(before) === JSON.stringify(after)) continue;
    if (!isValid(kind, before) || !isValid(kind, after)) continue;
    const had = new Set(rightsOf(kind)(before, "it"));
    const news = rightsOf(kind)(after, "it").filter((right) => !had.has(right));
    if (news.length > 0) grown++;
    const said = sayings(edit);
    if (news.length > 0 && said.length === 0) silent.push(shown(edit, news));
    if (news.length === 0) for (const one of said) if (!spoken.has(one)) spoken.set(one, shown(edit, []));
  }
  return { grown, silent, spoken };
}

/** What the guard says of an edit: gains, refusals and what it cannot judge, without the values. */
function sayings({ kind, before, after }: Edit): string[] {
  const { refused, unjudged, access } = judge(whole(edited(kind, "it", before, after)), [], today, bounds);
  const gained = access.flatMap(({ effect, text }) => (effect === "gains" ? [`gains ${text}`] : []));
  const found = [...refused, ...unjudged].map(({ rule, text }) => `${rule} ${text}`);
  return [...gained, ...found].map(
    (text) => `${kind} ${text.replace(/(: | has | opens |\{|").*/s, "").slice(0, 80)}`,
  );
}

const shown = ({ kind, before, after }: Edit, news: readonly string[]) =>
  `${kind}: ${changed(before, after)} → ${news.slice(0, 3).join("; ")}`;

/** The arguments that differ. */
function changed(before: Args, after: Args, path = ""): string {
  const isMap = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
  if (JSON.stringify(before) === JSON.stringify(after)) return "";
  if (!isMap(before) || !isMap(after)) return `${path} ${JSON.stringify(before)} → ${JSON.stringify(after)}`;
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((key) => changed(before[key], after[key], path === "" ? key : `${path}.${key}`))
    .filter((text) => text !== "")
    .join(", ");
}
