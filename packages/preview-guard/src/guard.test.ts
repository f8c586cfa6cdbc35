import { describe, expect, it } from "vitest";
import { judge } from "./guard.ts";
import { parseOverride } from "./overrides.ts";
import { readPreview, UnreadablePreview } from "./preview.ts";
import { renderReport } from "./report.ts";
import { rules } from "./rules/index.ts";
import { change } from "./sample.ts";

const today = new Date("2026-06-15T12:00:00Z");
const names = rules.map((rule) => rule.name);
const lost = change("PersistentVolumeClaim", "dev1-home", { op: "delete", of: "DevContainer dev1" });

describe("overrides", () => {
  it("accept a rule until the end of a day, and name what has expired", () => {
    const current = { rule: "volume-lost", until: "2026-06-15" };
    const past = { rule: "volume-lost", until: "2026-06-14" };
    expect(judge([lost], [current], today)).toMatchObject({
      refused: [],
      accepted: [{ until: "2026-06-15" }],
    });
    expect(judge([lost], [past], today)).toMatchObject({
      refused: [{ rule: "volume-lost" }],
      expired: [past],
    });
  });

  it.each([
    ["volume-lost", /is no override; write <rule>:<YYYY-MM-DD>/],
    ["volume-lost:2026-13-01", /is no override/],
    [
      "volumes:2026-06-20",
      /"volumes" is no rule; the rules are volume-lost, volume-left-behind, volume-shrunk, host-key-lost/,
    ],
    ["volume-lost:2027-06-20", /choose a day within the next 90 days/],
  ])("refuse %s", (text, expected) => {
    expect(() => parseOverride(text, names, today)).toThrow(expected);
  });
});

describe("reading", () => {
  const step = {
    op: "delete",
    urn: "urn:pulumi:s::p::drawbridge:index:DevContainer$kubernetes:core/v1:PersistentVolumeClaim::dev1-home",
    oldState: {
      type: "kubernetes:core/v1:PersistentVolumeClaim",
      urn: "…",
      parent: "urn:pulumi:s::p::drawbridge:index:DevContainer::dev1",
      inputs: {},
    },
  };

  it("a digest and a stream of events alike", () => {
    const event = { resourcePreEvent: { metadata: { op: step.op, urn: step.urn, old: step.oldState } } };
    const expected = { op: "delete", name: "dev1-home", component: lost.component, retained: false };
    expect(readPreview(JSON.stringify({ steps: [step] }))).toMatchObject([expected]);
    expect(readPreview(`${JSON.stringify({ preludeEvent: {} })}\n${JSON.stringify(event)}\n`)).toMatchObject([
      expected,
    ]);
  });

  it("what belongs to something new, a component or the stack", () => {
    const stack = "urn:pulumi:s::p::pulumi:pulumi:Stack::p-s";
    const component = "urn:pulumi:s::p::drawbridge:index:DevContainer::dev1";
    const made = (op: string, urn: string, parent?: string) => ({
      op,
      urn,
      newState: { type: "t", urn, ...(parent === undefined ? {} : { parent }) },
    });
    const owners = (...steps: object[]) =>
      readPreview(JSON.stringify({ steps })).map(({ isOwnerNew }) => isOwnerNew);
    const inside = made("create", "urn:pulumi:s::p::t::a", component);
    const top = made("create", "urn:pulumi:s::p::t::b");
    expect(owners(made("create", stack), made("create", component), inside, top)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(owners(made("same", stack), made("create", component), inside, top)).toEqual([
      false,
      false,
      true,
      false,
    ]);
    expect(owners(made("same", stack), made("update", component), inside)).toEqual([false, false, false]);
  });

  it.each([
    ["", /the preview is empty/],
    ["  \n", /the preview is empty/],
    ["{}", /the JSON has no "steps"/],
    ["error: no stack", /line 1 is not JSON: error: no stack/],
    ['{"preludeEvent":{}}\n{"summaryEvent":{}}', /the events name no resource/],
  ])("refuses %j", (text, expected) => {
    expect(() => readPreview(text)).toThrow(expected);
    expect(() => readPreview(text)).toThrow(UnreadablePreview);
  });
});

describe("the report", () => {
  const component = (before: object, after: object) => ({
    ...change("x", "dev1", { before: before as never, after: after as never }),
    type: "drawbridge:index:DevContainer",
  });
  const workload = change("StatefulSet", "dev1-workload", {
    of: "DevContainer dev1",
    before: { spec: { template: { memory: "16Gi" } } },
    after: { spec: { template: { memory: "32Gi" } } },
  });
  const report = (changes: Parameters<typeof judge>[0], limit?: number) =>
    renderReport(changes, judge(changes, [], today), limit);

  it("says in words what changes, what it costs, and who may log in", () => {
    const keys = change("ConfigMap", "dev1-authorized-keys", {
      of: "DevContainer dev1",
      before: { data: { authorized_keys: "ssh-ed25519 AAAAa alice\n" } },
      after: { data: { authorized_keys: "ssh-ed25519 AAAAb bob\n" } },
    });
    const home = change("PersistentVolumeClaim", "dev1-home", {
      of: "DevContainer dev1",
      before: { spec: { resources: { requests: { storage: "20Gi" } } } },
      after: { spec: { resources: { requests: { storage: "50Gi" } } } },
    });
    const changes = [
      component({ resources: { memory: "16Gi" } }, { resources: { memory: "32Gi" } }),
      workload,
      keys,
      home,
    ];
    expect(report(changes)).toBe(`## drawbridge: nothing dangerous

Resources: 4 to update.

### Who may get in

- bob gains access to dev1
- alice loses access to dev1

### Cost

- storage: +30 GiB

### DevContainer dev1

- resources.memory: 16Gi → 32Gi
- restarts the pod, home kept
`);
  });

  it("says who gains and loses rights in the cluster", () => {
    const people = (...names: string[]) => ({ subjects: names.map((name) => ({ kind: "Group", name })) });
    const program = { subjects: [{ kind: "ServiceAccount", name: "frp" }] };
    const binding = (fields: object) => change("RoleBinding", "team-a-viewers", fields);
    const said = (fields: object) => report([binding(fields)]).match(/^- group .*$/gm) ?? [];
    expect(said({ before: people("a", "b"), after: people("b", "c") })).toEqual([
      "- group c gains team-a-viewers",
      "- group a loses team-a-viewers",
    ]);
    expect(said({ op: "create", isOwnerNew: true, before: undefined, after: people("a") })).toEqual([
      "- group a gains team-a-viewers",
    ]);
    expect(said({ op: "delete", before: people("a"), after: undefined })).toEqual([
      "- group a loses team-a-viewers",
    ]);
    expect(said({ op: "create", before: undefined, after: program })).toEqual([]);
  });

  it("puts what is refused first, and keeps it when cut", () => {
    const many = Array.from({ length: 200 }, (_, index) =>
      change("ConfigMap", `c${index}`, { op: "create" }),
    );
    const cut = report([...many, lost], 600);
    expect(cut).toMatch(/^## drawbridge: refused\n/);
    expect(cut).toContain("**volume-lost**: the volume dev1-home would be deleted with its data");
    expect(cut).toMatch(
      /_The report was cut to fit; \d+ further sections were left out\. --limit gives more room\._\n$/,
    );
    expect(cut.length).toBeLessThanOrEqual(600);
  });

  it("says so when nothing changes", () => {
    expect(report([change("ConfigMap", "x", { op: "same" })])).toBe(
      "## drawbridge: nothing dangerous\n\nNo change.\n",
    );
  });
});
