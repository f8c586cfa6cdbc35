import { beforeEach, expect, it, vi } from "vitest";
import { cachedGrants } from "../authorizer/grants.ts";
import { Metrics } from "../telemetry.ts";
import { Leases } from "./leases.ts";

const identity = { namespace: "team-a", name: "dev1" };
const open = (host: string, tokenSha256 = "aa") => ({
  identity,
  tokenSha256,
  target: { host, port: 443 },
  destination: "198.51.100.1:443",
});

let state: {
  hosts: string[];
  tokenSha256: string;
  away: boolean;
  rings: (() => void)[];
  signal?: AbortSignal;
};
let leases: Leases;
let metrics: Metrics;
let ended: string[];

beforeEach(() => {
  state = { hosts: ["a.example", "b.example"], tokenSha256: "aa", away: false, rings: [] };
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

const promised = (of: Parameters<Leases["promise"]>[0]) => {
  const lease = leases.promise(of);
  if ("reason" in lease) throw new Error(lease.reason);
  return lease.id;
};
const attach = (host: string, token?: string) =>
  leases.attach(promised(open(host, token)), () => ended.push(host));
const ring = async () => {
  for (const one of state.rings) one();
  await new Promise((resolve) => setTimeout(resolve, 5));
};
const tunnels = () => /drawbridge_egress_tunnels (\d+)/.exec(metrics.toString())?.[1];

it("a change ends what is no longer allowed, and nothing else", async () => {
  attach("a.example");
  attach("b.example");
  await ring();
  expect([ended, tunnels(), state.rings.length]).toEqual([[], "2", 1]);
  state.hosts = ["a.example"];
  await ring();
  expect(ended).toEqual(["b.example"]);
});

it("another token ends what the one before had opened", async () => {
  attach("a.example");
  attach("b.example", "bb");
  state.tokenSha256 = "bb";
  await ring();
  expect(ended).toEqual(["a.example"]);
});

it("while nobody can be asked, what is open stays", async () => {
  attach("a.example", "old");
  state.away = true;
  await ring();
  expect(ended).toEqual([]);
});

it("a name opens once, and only if it was promised", () => {
  const id = promised(open("a.example"));
  expect(leases.attach(id, () => undefined)).toEqual(expect.any(Function));
  expect([leases.attach(id, () => undefined), leases.attach("", () => undefined)]).toEqual([
    undefined,
    undefined,
  ]);
});

it("nobody is watched who has no tunnel", () => {
  const [one, two] = [attach("a.example"), attach("b.example")];
  one?.();
  one?.();
  expect([state.signal?.aborted, tunnels()]).toEqual([false, "1"]);
  two?.();
  expect([state.signal?.aborted, tunnels()]).toEqual([true, "0"]);
});

it("a tunnel whose lease never came is counted", () => {
  vi.useFakeTimers();
  leases.promise(open("a.example"));
  vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
  expect(metrics.toString()).toContain("drawbridge_egress_without_lease_total 1");
});

it("a container has so many at most, and others have theirs", () => {
  const [one] = [attach("a.example"), attach("a.example")];
  promised(open("b.example"));
  const refused = leases.promise(open("b.example"));
  expect(refused).toMatchObject({
    status: 429,
    reason: expect.stringContaining("team-a/dev1 has 3 connections open, as many as it may"),
    isStill: false,
  });
  expect(leases.promise(open("b.example"))).toMatchObject({ isStill: true });
  expect(metrics.toString()).toContain("drawbridge_egress_over_limit_total 2");
  promised({ ...open("a.example"), identity: { ...identity, name: "dev2" } });
  one?.();
  one?.();
  promised(open("b.example"));
  expect(leases.promise(open("b.example"))).toMatchObject({ isStill: false });
});
