/** The same storages behind a gateway that Istio manages. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testStack } from "../support/engine/engine.ts";
import { endStack, testNamespace } from "../support/lab/cluster.ts";
import { loadBalancerAddress } from "../support/lab/ingress-workload.ts";
import { eventually, gatewayStats, Laptop } from "../support/lab/lab.ts";
import { curl as plainCurl } from "../support/lab/web.ts";
import { login, prepareWith, reader, testAccess, testProxy, testStorage } from "../support/stacks/storage.ts";

const team = "team-is";
const proxyName = "files-is";
const host = "files.example.com";

let laptop: Laptop;
let stack: Awaited<ReturnType<typeof testStack>>;
let resolve: string[];
const origin = `http://${host}`;
const curl = (args: readonly string[]) => plainCurl([...resolve, ...args]);
let later: string[] = [];

async function program() {
  const namespace = testNamespace(team);
  const proxy = testProxy(proxyName, { mode: "istio", dnsName: host });
  const storage = testStorage(
    "models",
    {
      namespace: team,
      prepare: prepareWith("echo seeded > README.txt"),
      browse: testAccess(proxy, { mode: "istio" }),
    },
    [namespace],
  );
  const off = testStorage(
    "off",
    { namespace: team, browse: testAccess(proxy, { mode: "istio", enabled: false, credentials: [] }) },
    [namespace],
  );
  const more = later.map((name) =>
    testStorage(name, { namespace: team, browse: testAccess(proxy, { mode: "istio" }) }, [namespace]),
  );
  return { urls: [storage, off, ...more].map(({ url }) => url), address: proxy.address };
}

const up = async () => {
  await stack.stack.up();
  resolve = ["--resolve", `${host}:80:${await loadBalancerAddress(proxyName, proxyName)}`];
};

const at = (name: string, path = "") => `${origin}/storage/${team}/${name}/${path}`;

beforeAll(async () => {
  laptop = await Laptop.create();
  stack = await testStack(program);
  await up();
  await eventually("the route", async () => (await curl([at("models")])).status === 401);
});

afterAll(() => endStack(stack, [team], laptop));

describe("behind Istio", () => {
  it.each([
    ["a file with the password", () => [...login(reader), at("models", "README.txt")], 200, "seeded"],
    ["nothing without", () => [at("models", "README.txt")], 401, ""],
    ["a page for an unknown storage", () => [at("nothing")], 404, "404: there is no storage"],
    ["a page for no storage", () => [`${origin}/`], 404, "404: there is no storage"],
    ["a page for an accessor that is off", () => [at("off")], 503, "503: this storage is not served now"],
    ["no encoded slash", () => [...login(reader), at("models", "..%2f..%2fetc/passwd")], 400, ""],
    [
      "no way up",
      () => [...login(reader), at("models", "../../../etc/passwd")],
      404,
      "404: there is no storage",
    ],
  ])("gives %s", async (_, args, status, text) => {
    const answer = await curl(args());
    expect([answer.status, answer.body.slice(0, text.length)]).toEqual([status, text]);
  });

  it("cuts huge headers", async () => {
    const huge = join(laptop.folder, "huge");
    await writeFile(huge, `X-Huge: ${"a".repeat(80_000)}\n`);
    expect((await curl([...login(reader), "-H", `@${huge}`, at("models")])).status).toBe(431);
  });

  it("changes no listener when storages come and go", async () => {
    const counters = ["listener_manager_listener_modified", "listener_manager_listener_in_place_updated"];
    const selector = `app.kubernetes.io/instance=${proxyName}`;
    const before = await gatewayStats(proxyName, selector, counters);
    later = ["late"];
    await up();
    await eventually(
      "the new storage",
      async () => (await curl([...login(reader), at("late")])).status === 200,
    );
    later = [];
    await up();
    await eventually("its end", async () => (await curl([...login(reader), at("late")])).status === 404);
    expect(await gatewayStats(proxyName, selector, counters)).toEqual(before);
  });
});
