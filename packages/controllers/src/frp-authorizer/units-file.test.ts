import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { defaultLimits } from "./limits.ts";
import { parseUnits, unitsFile } from "./units-file.ts";

const folder = mkdtempSync(join(tmpdir(), "drawbridge-units-"));
const path = join(folder, "units.json");
afterAll(() => rmSync(folder, { recursive: true }));

const write = (domainSuffix: string) => writeFileSync(path, JSON.stringify({ domainSuffix, units: {} }));

it("fills in what a unit leaves out", () => {
  const units = {
    "team-a/dev0": null,
    "team-a/dev1": {},
    "team-a/dev2": { tokenSha256: "00", domains: ["a.b"], revoked: true },
  };
  expect(parseUnits(JSON.stringify({ domainSuffix: "x.y", units }))).toEqual({
    domainSuffix: "x.y",
    units: {
      "team-a/dev0": { tokenSha256: undefined, domains: [], revoked: false },
      "team-a/dev1": { tokenSha256: undefined, domains: [], revoked: false },
      "team-a/dev2": { tokenSha256: "00", domains: ["a.b"], revoked: true },
    },
    limits: defaultLimits,
  });
  const perClient = { connectionsPerMinute: 1, burst: 1 };
  const limits = { perClient, perClientAndContainer: null };
  expect(parseUnits(JSON.stringify({ domainSuffix: "x.y", units: {}, limits })).limits).toEqual({
    logins: defaultLimits.logins,
    perClient,
    perClientAndContainer: undefined,
  });
});

it.each([
  ["{", /JSON/],
  ["{}", "domainSuffix is missing"],
  ['{"domainSuffix":"","units":{}}', "domainSuffix is missing"],
  ['{"domainSuffix":7,"units":{}}', "domainSuffix is missing"],
  ['{"domainSuffix":"x.y"}', "units is missing"],
  ['{"domainSuffix":"x.y","units":null}', "units is missing"],
  ['{"domainSuffix":"x.y","units":"a"}', "units is missing"],
  ['{"domainSuffix":"x.y","units":{"a/b":{"tokenSha256":7}}}', "the unit a/b is not"],
  ['{"domainSuffix":"x.y","units":{"a/b":{"domains":["a.b",7]}}}', "the unit a/b is not"],
  ['{"domainSuffix":"x.y","units":{"a/b":{"revoked":"yes"}}}', "the unit a/b is not"],
  ['{"domainSuffix":"x.y","units":{"a/b":{"domains":"*"}}}', "the unit a/b is not"],
  ['{"domainSuffix":"x.y","units":{},"limits":{"logins":5}}', "the limit logins is not"],
  ['{"domainSuffix":"x.y","units":{},"limits":{"logins":{"burst":5}}}', "the limit logins is not"],
  [
    '{"domainSuffix":"x.y","units":{},"limits":{"perClient":{"burst":0,"connectionsPerMinute":1}}}',
    "the limit perClient is not",
  ],
  [
    '{"domainSuffix":"x.y","units":{},"limits":{"perClient":{"burst":1,"connectionsPerMinute":0}}}',
    "the limit perClient is not { connectionsPerMinute, burst }",
  ],
])("refuses %s", (text, reason) => {
  expect(() => parseUnits(text)).toThrow(reason);
});

it("takes up a change within a second, and keeps the last good file when a bad one comes", () => {
  const clock = { time: 0 };
  const problems: string[] = [];
  write("one.example");
  const read = unitsFile(
    path,
    (problem) => problems.push(problem),
    () => clock.time,
  );
  write("two.example");
  clock.time = 999;
  expect(read().domainSuffix).toBe("one.example");
  clock.time = 1000;
  expect(read().domainSuffix).toBe("two.example");
  writeFileSync(path, "{");
  // Told once, however often it is read.
  for (clock.time = 2000; clock.time < 5000; clock.time += 1000)
    expect(read().domainSuffix).toBe("two.example");
  expect(problems).toEqual([
    expect.stringMatching(/units\.json: .*JSON.*; the last good version stays in force$/),
  ]);
});

it("looks at the file once a second by its own clock", () => {
  write("one.example");
  const read = unitsFile(path, expect.fail);
  write("two.example");
  expect(read().domainSuffix).toBe("one.example");
});

it("does not begin without a file", () => {
  expect(() => unitsFile(join(folder, "none.json"), () => {})).toThrow("ENOENT");
});
