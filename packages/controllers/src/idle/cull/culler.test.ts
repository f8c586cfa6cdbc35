/** A round over what several teams wrote; only the API server is a fake. */

import { ApiError, TooMuch } from "@drawbridge-iac/drawbridge/src/kubernetes/api";
import { afterEach, expect, it } from "vitest";
import type { Kubernetes } from "../../api-server.ts";
import { Metrics } from "../../telemetry.ts";
import { settings, statefulSet } from "../sleeper.fixture.ts";
import { Culler } from "./culler.ts";

const idleReport =
  "drawbridge-idle: up=900 sessions=0 terminals=0 used=1 quiet=900 cpuQuiet=900 millicores=0 hold=0 commands=0 asked=0 warned=-1\n";

type StatefulSet = ReturnType<typeof statefulSet>;
const set = (namespace: string, changed: object = {}) =>
  statefulSet(namespace, 1, JSON.stringify({ ...settings, ...changed }));

let scaled: string[] = [];
let said: string[] = [];
let lines: Record<string, unknown>[] = [];
/** Bodies of what changes the number of pods, and paths of the logs that are read. */
let changes: unknown[] = [];
let logs: string[] = [];
/** What the API server says to a change of the number of pods. */
let refused: ApiError | undefined;
let metrics = new Metrics();
afterEach(() => {
  [scaled, said, lines, changes, logs, refused, metrics] = [[], [], [], [], [], undefined, new Metrics()];
});

/** @param weight of one object, where an answer holds at most 10 */
function culler(sets: readonly StatefulSet[], weight = (_: StatefulSet) => 1): Culler {
  const api = {
    get: async (path: string) => {
      const { searchParams, pathname } = new URL(path, "http://api");
      if (!pathname.endsWith("/statefulsets")) throw new ApiError(404, "not found");
      const from = Number(searchParams.get("continue") ?? 0);
      const to = from + Number(searchParams.get("limit"));
      const items = sets.slice(from, to);
      if (items.reduce((sum, each) => sum + weight(each), 0) > 10) throw new TooMuch(path, 10);
      return { items, metadata: { resourceVersion: "1", continue: to < sets.length ? String(to) : "" } };
    },
    text: async (path: string) => {
      logs.push(path);
      return idleReport;
    },
    send: async (_: string, path: string, body?: { reason?: string }) => {
      if (body?.reason !== undefined) said.push(body.reason);
      const [, namespace] = /namespaces\/([^/]+)\/statefulsets\/dev1\/scale$/.exec(path) ?? [];
      if (namespace !== undefined) {
        if (refused !== undefined) throw refused;
        scaled.push(namespace);
        changes.push(body);
      }
      return {};
    },
  } as never as Kubernetes;
  return new Culler({
    api,
    log: (line) => lines.push({ ...line }),
    metrics,
    gpu: undefined,
    periodSeconds: 1,
    gateway: "gw/gw",
  });
}

it("names a container that cannot be read, once until it is another fault, and goes on with the others", async () => {
  const keepAwake = [{ timeZone: "Mars/Olympus", minutes: [[0, 1]] }];
  const sets = [set("team-evil", { keepAwake }), set("team-b")];
  const made = culler(sets);
  const problems = () => lines.filter(({ outcome }) => outcome === "problem").map(({ reason }) => reason);
  for (let round = 0; round < 3; round += 1) await made.round();
  expect(scaled).toEqual(["team-b", "team-b", "team-b"]);
  const where = "the annotation drawbridge.dev/idle";
  const zone = `${where}.keepAwake[0].timeZone is not a time zone`;
  expect(lines.find(({ outcome }) => outcome === "problem")).toEqual({
    container: "team-evil/dev1",
    outcome: "problem",
    reason: zone,
  });
  sets[0] = statefulSet("team-evil", 1, "{");
  await made.round();
  expect(problems()).toEqual([zone, `${where} is not JSON`]);
  // Well again in between, so it is worth a line again.
  sets[0] = set("team-evil");
  await made.round();
  sets[0] = statefulSet("team-evil", 1, "{");
  await made.round();
  expect(problems()).toEqual([zone, `${where} is not JSON`, `${where} is not JSON`]);
});

it("sees everybody's, however big the objects of one are", async () => {
  const names = Array.from({ length: 250 }, (_, index) => `team-${index}`);
  const isBig = ({ metadata }: StatefulSet) => /^team-1[0-4]\d$/.test(metadata.namespace);
  await culler(
    names.map((name) => set(name)),
    (each) => (isBig(each) ? 7 : 0.01),
  ).round();
  expect(scaled.sort()).toEqual([...names].sort());
  // An object too big for any answer fails the round, which says so.
  await expect(culler([set("team-a")], () => 11).round()).rejects.toThrow("more than 10 bytes");
});

it("has the words that list has for one that sleeps and one that its stack has switched off", async () => {
  const off = set("team-b", { running: false });
  const sets = [set("team-a"), off].map((each) => ({ ...each, spec: { replicas: 0 } }));
  await culler(sets).round();
  expect([said.toSorted(), scaled]).toEqual([["Asleep", "Off"], []]);
});

it("looks at three reports' time, and changes one pod to none and nothing else", async () => {
  await culler([set("team-a")]).round();
  expect(logs).toEqual([
    `/api/v1/namespaces/team-a/pods/dev1-0/log?container=dev&sinceSeconds=${3 * settings.reportEvery}`,
  ]);
  expect(changes).toEqual([
    [
      { op: "test", path: "/spec/replicas", value: 1 },
      { op: "replace", path: "/spec/replicas", value: 0 },
    ],
  ]);
});

it.each([
  [409, []],
  [422, []],
  [403, ["problem"]],
])("an answer %i to its change of the number of pods is told as %j", async (status, outcomes) => {
  refused = new ApiError(status, "no");
  await culler([set("team-a")]).round();
  expect(lines.map(({ outcome }) => outcome)).toEqual(outcomes);
  expect([scaled, said]).toEqual([[], []]);
});

it("counts who sleeps and who does not", async () => {
  const asleep = { ...set("team-c"), spec: { replicas: 0 } };
  await culler([set("team-a"), set("team-b"), asleep]).round();
  expect(`${metrics}`).toContain('drawbridge_idle_containers{state="asleep"} 1\n');
  expect(`${metrics}`).toContain('drawbridge_idle_containers{state="awake"} 2\n');
});

it("only says of a dry run that it would sleep, once", async () => {
  const made = culler([set("team-a", { dryRun: true })]);
  for (let round = 0; round < 2; round += 1) await made.round();
  expect([scaled, said, lines.map(({ outcome }) => outcome)]).toEqual([[], ["WouldSleep"], ["would sleep"]]);
});
