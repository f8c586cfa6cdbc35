import { beforeEach, expect, it, vi } from "vitest";
import { cachedGrants } from "../authorizer/grants.ts";
import { Metrics } from "../telemetry.ts";
import { Leases } from "./leases.ts";

const asked = (host: string, tokenSha256 = "aa", name = "dev1") => ({
  identity: { namespace: "team-a", name },
  tokenSha256,
  target: { host, port: 443 },
  destination: "198.51.100.1:443",
});

let state: {
  hosts: ReadonlySet<string>;
  tokenSha256: string;
  away: boolean;
  rings: (() => void)[];
  signal?: AbortSignal;
};
let leases: Leases;
let metrics: Metrics;
let ended: string[];

beforeEach(() => {
  state = { hosts: new Set(["a.example", "b.example"]), tokenSha256: "aa", away: false, rings: [] };
  ended = [];
  metrics = new Metrics();
  const findGrant = cachedGrants(async () => {
    if (state.away) throw new Error("away");
    return { hosts: state.hosts, tokenSha256: state.tokenSha256, podName: "dev1-0" };
  });
  leases = new Leases(
    findGrant,
    (_, ring, signal) => {
      state.rings.push(ring);
      state.signal = signal;
    },
    metrics,
    3,
  );
});

const open = (host: string, tokenSha256?: string, name?: string) => {
  const opened = leases.open(asked(host, tokenSha256, name), () => ended.push(host));
  if (typeof opened !== "function") throw new Error(opened.reason);
  return opened;
};
const ring = async () => {
  for (const one of state.rings) one();
  await new Promise((resolve) => setTimeout(resolve, 5));
};
const tunnels = () => /drawbridge_egress_tunnels (\d+)/.exec(metrics.toString())?.[1];

it("a change ends what is no longer allowed, and nothing else", async () => {
  open("a.example");
  open("b.example");
  await ring();
  expect([ended, tunnels(), state.rings.length]).toEqual([[], "2", 1]);
  state.hosts = new Set(["a.example"]);
  await ring();
  expect(ended).toEqual(["b.example"]);
});

it("another token ends what the one before had opened", async () => {
  open("a.example");
  open("b.example", "bb");
  state.tokenSha256 = "bb";
  await ring();
  expect(ended).toEqual(["a.example"]);
});

it("while nobody can be asked, what is open stays", async () => {
  open("a.example", "old");
  state.away = true;
  await ring();
  expect(ended).toEqual([]);
});

it("a container is watched while it has tunnels, and once for those that it opens in a row", () => {
  vi.useFakeTimers();
  const [one, two] = [open("a.example"), open("b.example")];
  one();
  one();
  vi.advanceTimersByTime(60_000);
  expect([state.signal?.aborted, tunnels()]).toEqual([false, "1"]);
  two();
  vi.advanceTimersByTime(20_000);
  const three = open("a.example");
  vi.advanceTimersByTime(60_000);
  expect([state.signal?.aborted, state.rings.length]).toEqual([false, 1]);
  three();
  vi.advanceTimersByTime(30_000);
  vi.useRealTimers();
  expect([state.signal?.aborted, tunnels()]).toEqual([true, "0"]);
});

it("a container has so many at most, and others have theirs", () => {
  const [one] = [open("a.example"), open("a.example"), open("b.example")];
  const further = () => leases.open(asked("b.example"), () => undefined);
  expect(further()).toMatchObject({
    status: 429,
    reason: expect.stringContaining("team-a/dev1 has 3 connections open, as many as it may"),
    isStill: false,
  });
  expect(further()).toMatchObject({ isStill: true });
  expect(metrics.toString()).toContain("drawbridge_egress_over_limit_total 2");
  open("a.example", "aa", "dev2");
  one();
  one();
  open("b.example");
  expect(further()).toMatchObject({ isStill: false });
});
