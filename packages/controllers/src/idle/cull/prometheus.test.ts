import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { defaultQuery, gpuQuiet, judge } from "./prometheus.ts";

const span = { above: 5, window: 600, step: 15 };
const every = (from: number, to: number, use: number) =>
  Array.from({ length: (to - from) / 15 + 1 }, (_, index) => [from + 15 * index, use] as const);

it.each([
  ["idle all the time", every(400, 1000, 0), 600],
  ["busy until a hundred seconds ago", [...every(400, 900, 80), ...every(905, 1000, 1)], 100],
  ["exactly at the threshold", every(400, 1000, 5), 600],
])("judges a GPU that is %s", (_, values, expected) => {
  const quiet = judge(values, span, 1000);
  expect(typeof quiet === "number" && Math.abs(quiet - expected) <= 15).toBe(true);
});

it.each([
  ["no figures at all", [], "no GPU figures of this pod for 600 s"],
  ["figures that ended", every(400, 700, 0), "no GPU figures of this pod for 300 s"],
  ["a gap", [...every(400, 550, 0), ...every(850, 1000, 0)], "no GPU figures of this pod for 300 s"],
])("knows nothing with %s", (_, values, text) => {
  expect(judge(values, span, 1000)).toEqual({ missing: `Prometheus has ${text}` });
});

const asked: URLSearchParams[] = [];
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://x");
  asked.push(searchParams);
  if (pathname.startsWith("/broken")) response.writeHead(500).end();
  else if (pathname.startsWith("/with")) {
    const figures = every(400, 1000, 0).map(([time]) => `[${time}, ${pathname.split("/")[2]}]`);
    response.end(`{"data": {"result": [{"values": [${decodeURIComponent(figures.join())}]}]}}`);
  } else response.end(JSON.stringify({ data: { result: [{ values: [[990, "90"]] }] } }));
});
let origin: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

it("asks for one pod, and keeps awake where nobody answers", async () => {
  const container = { namespace: "team-a", name: "dev1" };
  const ask = (url: string) =>
    gpuQuiet({ url, query: defaultQuery }, container, { above: 5, window: 600 }, 1000);
  expect(await ask(origin)).toBe(10);
  expect(asked[0]?.get("query")).toContain('exported_namespace="team-a",exported_pod="dev1-0"');
  expect(await ask(`${origin}/broken`)).toEqual({ missing: "Prometheus answers 500" });
  expect(await ask("http://127.0.0.1:1")).toEqual({
    missing: expect.stringMatching(/^Prometheus does not answer/),
  });
});

it.each(['"NaN"', '""', '"x"', "null", "0", "{}", '"0",1'])(
  "takes no quiet from %s in the place of a figure",
  async (figure) => {
    const url = `${origin}/with/${encodeURIComponent(figure)}`;
    const container = { namespace: "team-a", name: "dev1" };
    const quiet = await gpuQuiet({ url, query: defaultQuery }, container, { above: 5, window: 600 }, 1000);
    expect(quiet).toEqual({ missing: expect.stringMatching(/^Prometheus (has no|answers what nobody)/) });
  },
);
