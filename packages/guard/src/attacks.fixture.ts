/** A container and what someone might do to its preview, for tests that try it. */
import { alice, bob, gateway } from "@drawbridge-iac/drawbridge/src/host/base.trials";
import { describe, expect, it } from "vitest";
import { type Bounds, noBounds } from "./bounds.ts";
import type { Change } from "./change.ts";
import { judge } from "./guard.ts";
import { edited, today, whole } from "./sample.fixture.ts";
import type { NamingStack } from "./stacks.ts";

export { alice, bob, gateway };
export const container = {
  namespace: "team-a",
  image: "registry.example.com/image:1",
  authorizedKeys: [alice],
  hostKey: { seed: "[secret]" },
  home: { size: "1Gi" },
  access: { gateway },
};
/** What "restricted" asks of a foreign pod and of its container. */
export const restrictedPod = {
  automountServiceAccountToken: false,
  securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
};
export const restrictedContainer = {
  name: "a",
  image: "a:1",
  securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
};
export const injected = {
  namespace: "team-a",
  podTemplate: { spec: { automountServiceAccountToken: false, containers: [{ name: "app", image: "a:1" }] } },
  ssh: { image: "registry.example.com/sshd:1" },
  authorizedKeys: [alice],
  hostKey: { seed: "[secret]" },
  access: { gateway },
  networkPolicy: "allow-gateway",
};

/** The container with other arguments than before. */
export const dev = (more: object, before: object = {}) =>
  edited("DevContainer", "dev1", { ...container, ...before }, { ...container, ...before, ...more });

/** The stack of these tests is team-a's, and says so in its file. */
export const teamA: NamingStack = {
  stack: "stack",
  namespace: "team-a",
  platform: "platform",
  people: new Set<string>(),
};

export interface Hiding {
  readonly hiding: readonly Change[];
  readonly ends: readonly [code: 1 | 2, rule: string, says: string];
  readonly twin: readonly Change[];
}

/** Rows of four lines: its name, what is tried, how it ends as `code rule: what is said`, and the twin. `#` is a comment. */
export function hidings(
  { raw }: TemplateStringsArray,
  ...values: readonly (readonly (Change | readonly Change[])[] | string)[]
): Readonly<Record<string, Hiding>> {
  const rows: Record<string, Hiding> = {};
  let text = raw[0] ?? "";
  let hiding: readonly Change[] | undefined;
  let name = "";
  for (const [at, value] of values.entries()) {
    if (typeof value === "string") text += value;
    else if (hiding === undefined) {
      name = text.trim().split("\n").at(-1)?.trim() ?? "";
      [text, hiding] = ["", value.flat()];
    } else {
      const [, code, rule = "", says = ""] = /^([12]) ([\w-]+): (.*)$/.exec(text.trim()) ?? [];
      if (code === undefined || name in rows) throw new Error(`${name}: ${text}`);
      rows[name] = { hiding, ends: [code === "1" ? 1 : 2, rule, says], twin: value.flat() };
      [text, hiding] = ["", undefined];
    }
    text += raw[at + 1] ?? "";
  }
  return rows;
}

/**
 * Each is stopped under its name, and its twin passes.
 * @param isAlone whether nothing else is found in it
 * @param beside what every preview has too
 */
export function areStopped(
  hidings: Readonly<Record<string, Hiding>>,
  bounds: Bounds = noBounds,
  {
    isAlone = false,
    stacks = [teamA],
    beside = [],
  }: { isAlone?: boolean; stacks?: readonly NamingStack[]; beside?: readonly Change[] } = {},
): void {
  const judged = (changes: readonly Change[]) =>
    judge(whole([...beside, ...changes]), [], today, bounds, [], stacks);
  describe.each(Object.entries(hidings))("%s", (_, { hiding, ends: [code, rule, says], twin }) => {
    it("is stopped, under its name", () => {
      const { refused, unjudged, ...verdict } = judged(hiding);
      expect(verdict.code).toBe(code);
      const found = [...refused, ...unjudged];
      const own = found.filter((one) => one.rule === rule);
      expect(own.map(({ text }) => text).join("\n")).toContain(says);
      if (isAlone) expect(found).toEqual(own);
    });

    it("has a twin that passes", () => {
      const { code, refused, unjudged } = judged(twin);
      expect({ code, refused, unjudged }).toEqual({ code: 0, refused: [], unjudged: [] });
    });
  });
}
