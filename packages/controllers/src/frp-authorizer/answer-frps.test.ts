import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Buckets } from "../authorizer/buckets.ts";
import { Metrics, metricsServer } from "../telemetry.ts";
import { authorizerServer } from "./answer-frps.ts";

const metrics = new Metrics();
const lines: object[] = [];
const knowledge = {
  units: () => ({ domainSuffix: "ssh.example.com", units: {}, limits: {} }),
  findGrant: async () => undefined,
  buckets: new Buckets(),
};
const servers = [
  authorizerServer(knowledge, metrics, (line) => lines.push(line)),
  metricsServer(metrics),
] as const;
const ports: number[] = [];

beforeAll(async () => {
  for (const server of servers) {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    ports.push((server.address() as AddressInfo).port);
  }
});
afterAll(() => servers.map((server) => server.close()));

const login = { op: "Login", content: { user: "team-a.dev1", metas: { token: "t" } } };
const post = (body: string, path = "/authorize?op=Login&version=0.1.0") =>
  fetch(`http://127.0.0.1:${ports[0]}${path}`, { method: "POST", body });

it("answers as frps reads it, and refuses by default", async () => {
  const response = await post(JSON.stringify(login));
  expect(await response.json()).toEqual({
    reject: true,
    reject_reason: "the user is unknown or its token is wrong",
  });
});

it.each([
  ["no JSON", "x", "/authorize?op=Login", 400],
  ["an unknown operation", '{"op":"Sudo","content":{}}', "/authorize?op=Sudo", 400],
  ["a body without end", "x".repeat(65 * 1024), "/authorize?op=Login", 400],
  ["another path", JSON.stringify(login), "/", 404],
])("gives %s a status that frps takes for a refusal", async (_what, body, path, status) => {
  expect((await post(body, path)).status).toBe(status);
});

it("answers nothing to a GET", async () => {
  const status = await new Promise((resolve) =>
    request({ port: ports[0], host: "127.0.0.1", path: "/authorize?op=Login" }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).end(),
  );
  expect(status).toBe(404);
});

it("counts decisions and says that it is well", async () => {
  const read = async (path: string) => (await fetch(`http://127.0.0.1:${ports[1]}${path}`)).text();
  expect(await read("/healthz")).toBe("ok\n");
  const counted = (await read("/metrics")).split("\n").filter((line) => !line.endsWith(" 0"));
  expect(counted).toEqual([
    "# TYPE drawbridge_frp_decisions_total counter",
    'drawbridge_frp_decisions_total{operation="Login",outcome="refused"} 1',
    'drawbridge_frp_decisions_total{operation="unreadable",outcome="refused"} 3',
    "",
  ]);
  const refused = { way: "frp", outcome: "refused", reason: expect.any(String) };
  expect(lines).toEqual([
    { ...refused, what: "Login team-a.dev1" },
    ...Array(3).fill({ ...refused, what: "unreadable" }),
  ]);
});
