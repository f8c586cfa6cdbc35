import { libraryVersion } from "@drawbridge-iac/drawbridge/src/kit/library-version";
import { describe, expect, it } from "vitest";
import { parseAcceptances } from "./acceptances.ts";
import { findingNames, judge } from "./guard.ts";
import { readPreview, readWholePreview, UnreadablePreview } from "./preview.ts";
import { change, today, whole } from "./sample.fixture.ts";

const names = Object.keys(findingNames);
const lost = change("PersistentVolumeClaim", "dev1-home", { op: "delete", of: "DevContainer dev1" });
const text = "the volume dev1-home would be deleted with its data";
const accepted = {
  rule: "volume-lost",
  object: "PersistentVolumeClaim dev1-home",
  what: text,
  until: "2026-06-15",
};

describe("acceptances", () => {
  it("hold until the end of a day, and are named when they have expired", () => {
    const past = { ...accepted, until: "2026-06-14" };
    expect(judge(whole([lost]), [accepted], today)).toMatchObject({
      code: 0,
      refused: [],
      accepted: [{ rule: "volume-lost", text, until: "2026-06-15" }],
    });
    expect(judge(whole([lost]), [past], today)).toMatchObject({
      code: 1,
      refused: [{ rule: "volume-lost" }],
      expired: [past],
    });
  });

  it("accept one finding by rule, object and words, of which * stands for any", () => {
    const code = (change: object) => judge(whole([lost]), [{ ...accepted, ...change }], today).code;
    expect(code({ rule: "host-key-lost" })).toBe(1);
    expect(code({ object: "PersistentVolumeClaim dev2-home" })).toBe(1);
    expect(code({ what: "the volume dev1-home would be replaced" })).toBe(1);
    expect(code({ what: "the volume dev1" })).toBe(1);
    expect(
      code({ object: "PersistentVolumeClaim *", what: "the volume * would be deleted with its data" }),
    ).toBe(0);
  });

  it("are all named when they are wrong, and nothing holds", () => {
    const parse = (data: unknown) => () => parseAcceptances(data, "accepted.yaml", names, today);
    expect(parse([accepted])()).toEqual([accepted]);
    expect(parse(undefined)()).toEqual([]);
    expect(parse({})).toThrow(/accepted\.yaml: 1 faults\n {2}- the file: /);
    expect(
      parse([
        { ...accepted, until: undefined },
        { ...accepted, why: "x" },
      ]),
    ).toThrow(/2 faults\n {2}- 0\.until: .*\n {2}- 1: .*"why"/);
    const bad = [
      { ...accepted, rule: "volumes" },
      { ...accepted, until: "2027-06-20" },
      { ...accepted, what: "*" },
    ];
    expect(parse(bad)).toThrow(
      /3 faults\n {2}- 0\.rule: "volumes" is no rule; the rules are volume-lost, .*\n {2}- 1\.until: 2027-06-20 is too far; choose a day within the next 90 days\n {2}- 2\.what: "\*" accepts whatever is found/,
    );
    for (const until of ["2026-13-01", "2026-02-30", "tomorrow"])
      expect(parse([{ ...accepted, until }])).toThrow(/0\.until: is no day/);
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

  it("an event's secret as a digest has it", () => {
    const secret = { "4dabf18193072939515e22adb298388d": "1b4706…", ciphertext: "[secret]" };
    const next = { type: "t", urn: "u", inputs: { list: [{ password: secret }] } };
    const event = { resourcePreEvent: { metadata: { op: "create", urn: "u", new: next } } };
    expect(readPreview(JSON.stringify({ sequence: 1, ...event }))[0]?.after).toEqual({
      list: [{ password: "[secret]" }],
    });
  });

  it("another provider, whose version and id are no difference", () => {
    const provider = (name: string) => `urn:pulumi:s::p::pulumi:providers:kubernetes::${name}`;
    const isOther = (was: string, is: string) => {
      const state = (reference: string) => ({ type: "t", urn: "u", provider: reference });
      const one = { op: "update", urn: "u", oldState: state(was), newState: state(is) };
      return readPreview(JSON.stringify({ steps: [one] }))[0]?.isProviderChanged;
    };
    expect(isOther(provider("default_4_29_0::a"), provider("default_4_30_1::b"))).toBe(false);
    expect(isOther(provider("default::a"), provider("other::a"))).toBe(true);
    expect(isOther(provider("default_4_29_0::a"), provider("default_9::b"))).toBe(true);
  });

  it.each([
    ["", /the preview is empty/],
    ["  \n", /the preview is empty/],
    ["{}", /the JSON has no "steps"/],
    ["error: no stack", /^line 1 is not JSON; pass the output of `pulumi preview --json`$/],
    ['{"steps":[],"forecast":{}}', /parts that this version does not know: forecast; update the guard/],
    [
      '{"steps":[{"op":"vanish","urn":"a"}]}',
      /steps that this version does not know: vanish; update the guard/,
    ],
    ['{"preludeEvent":{}}\n{"summaryEvent":{}}', /the events name no resource/],
    ['{"summaryEvent":{}}\n{"summaryEvent":{}}', /the events are those of two previews/],
    ['{"preludeEvent":{}}\n{"steps":[]}', /line 2 is no event of a Pulumi preview/],
    ['{"steps":[],"steps":[]}', /the preview has the key "steps" twice in one object/],
    ['{"steps":[{"op":"same","urn":"a","\\u006fp":"same"}]}', /the preview has the key "op" twice/],
    ['{"preludeEvent":{"config":{"a":1,"a":2}}}\n{}', /line 1 has the key "a" twice in one object/],
  ])("refuses %j", (text, expected) => {
    expect(() => readPreview(text)).toThrow(expected);
    expect(() => readPreview(text)).toThrow(UnreadablePreview);
  });
});

describe("a preview that is not whole", () => {
  const urn = (name: string) => `urn:pulumi:s::p::kubernetes:core/v1:ConfigMap::${name}`;
  const steps = [
    { op: "update", urn: urn("a") },
    ...["b", "c", "d"].map((name) => ({ op: "same", urn: urn(name) })),
  ];
  const failures = (rest: object) =>
    readWholePreview(JSON.stringify({ steps, changeSummary: { same: 3, update: 1 }, ...rest })).failures;
  const error = { severity: "error", message: "error: boom\n" };

  it("is told by its errors, each once, and warnings are none", () => {
    expect(failures({})).toEqual([]);
    expect(failures({ diagnostics: [{ severity: "warning", message: "w" }] })).toEqual([]);
    expect(failures({ diagnostics: [error, error, { severity: "error", message: "more" }] })).toEqual([
      { rule: "preview-failed", text: "error: boom" },
      { rule: "preview-failed", text: "more" },
    ]);
  });

  it.each([
    [{ changeSummary: undefined }, "preview-incomplete"],
    [{ changeSummary: { update: 2 } }, "preview-incomplete"],
    [{ changeSummary: { same: 3, update: 1, replace: 1 } }, "preview-incomplete"],
    [{ changeSummary: { create: 1, delete: 9 }, steps: [] }, "preview-incomplete"],
    [{ changeSummary: { same: 1 } }, "empty-stack"],
    [{ maybeCorrupt: true }, "preview-failed"],
  ])(
    "is told by a summary that is missing, counts more than there is, or counts nothing: %j",
    (rest, rule) => {
      expect(failures(rest).map((one) => one.rule)).toEqual([rule]);
    },
  );

  it("is told by unchanged resources that are left out", () => {
    expect(failures({ changeSummary: { same: 5, update: 1 } })).toEqual([
      {
        rule: "preview-incomplete",
        text: "the preview leaves out 2 unchanged resources, whose options may change; take it with --show-sames",
      },
    ]);
  });

  it("is told by the stream's own words", () => {
    const event = { sequence: 1, resourcePreEvent: { metadata: { ...steps[0], old: null, new: null } } };
    const second = { resourcePreEvent: { metadata: { ...steps[0], urn: urn("b") } } };
    const stream = (...events: object[]) =>
      readWholePreview([event, second, ...events].map((one) => JSON.stringify(one)).join("\n")).failures;
    const summary = (result: string) => ({ summaryEvent: { resourceChanges: { update: 2 }, result } });
    expect(stream(summary("succeeded"))).toEqual([]);
    expect(stream(summary("failed")).map(({ rule }) => rule)).toEqual(["preview-failed"]);
    expect(stream().map(({ rule }) => rule)).toEqual(["preview-incomplete"]);
    const said = { diagnosticEvent: { severity: "error", prefix: "error: ", message: "boom" } };
    expect(stream(said, summary("succeeded"))).toEqual([{ rule: "preview-failed", text: "error: boom" }]);
  });
});

describe("a preview of another version's components", () => {
  const component = (name: string, library?: object) => {
    const type = "drawbridge:index:Team";
    const urn = `urn:pulumi:s::p::${type}::${name}`;
    return { op: "same", urn, newState: { type, urn, custom: false, inputs: { library } } };
  };
  const failures = (...steps: object[]) =>
    readWholePreview(JSON.stringify({ steps, changeSummary: { same: steps.length } })).failures;
  const [own, other] = [{ version: libraryVersion }, { version: "99.0.0" }];

  it("is not judged, and says what to install", () => {
    expect(failures(component("a", own), component("b", own))).toEqual([]);
    expect(failures(component("a", other), component("b", other))).toEqual([
      {
        rule: "other-version",
        text: `the components are of drawbridge 99.0.0 (a, b), and this guard is of ${libraryVersion}: npm install --save-exact @drawbridge-iac/preview-guard@99.0.0`,
      },
    ]);
    expect(failures(component("a", own), component("b", other))[0]?.text).toContain(
      `of several versions of drawbridge, ${libraryVersion} (a) and 99.0.0 (b): bring all to one`,
    );
    expect(failures(component("a", own), component("b"))[0]?.text).toContain(
      `of several versions of drawbridge, ${libraryVersion} (a) and an unknown one (b)`,
    );
    expect(failures(component("a"), component("b", { version: "[secret]" }))[0]?.text).toContain(
      `do not say of which version of drawbridge they are (a, b), so that it is older than this guard: npm install --save-exact @drawbridge-iac/drawbridge@${libraryVersion}`,
    );
  });

  it("is judged where they only go", () => {
    const { newState, ...step } = component("a", other);
    const gone = { ...step, op: "delete", oldState: newState };
    const whole = { steps: [gone, component("b", own), component("c", own)] };
    const text = JSON.stringify({ ...whole, changeSummary: { same: 2, delete: 1 } });
    expect(readWholePreview(text).failures).toEqual([]);
  });
});
