/** As Envoy asks: a stream for each request, on a socket. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tokenHash } from "@drawbridge-iac/drawbridge/src/kit/crypto";
import { Client, type ClientDuplexStream, credentials, type Server, ServerCredentials } from "@grpc/grpc-js";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { Buckets } from "../authorizer/buckets.ts";
import { cachedGrants } from "../authorizer/grants.ts";
import { Metrics } from "../telemetry.ts";
import { egressServer } from "./answer-envoy.ts";
import { externalProcessor, type ProcessingRequest, type ProcessingResponse } from "./envoy-protocol.ts";
import { Leases } from "./leases.ts";

const grant = {
  tokenSha256: tokenHash("one"),
  hosts: new Set(["pypi.org", "slow.example"]),
  podName: "dev1-0",
};
const metrics = new Metrics();
const lines: object[] = [];
let hosts: ReadonlySet<string>;
let answerSlow: (() => void) | undefined;
let ring: () => void = () => undefined;
const findGrant = cachedGrants(async () => ({ ...grant, hosts }));
let server: Server;
let client: Client;

beforeAll(async () => {
  const leases = new Leases(findGrant, (_, rung) => (ring = rung), metrics, 3);
  const knowledge = {
    findGrant,
    findAddresses: async () => ["10.244.0.7", "fd00::7"],
    resolve: async (host: string) => {
      if (host === "slow.example") await new Promise<void>((resolve) => (answerSlow = resolve));
      return ["198.51.100.1"];
    },
    isPublic: () => true,
    buckets: new Buckets(),
  };
  server = egressServer(knowledge, leases, metrics, (entry) => lines.push(entry));
  const address = `unix:${join(mkdtempSync(join(tmpdir(), "egress-")), "socket")}`;
  await new Promise((resolve) => server.bindAsync(address, ServerCredentials.createInsecure(), resolve));
  client = new Client(address, credentials.createInsecure());
});
beforeEach(() => {
  hosts = grant.hosts;
  findGrant.expire({ namespace: "team-a", name: "dev1" });
  lines.length = 0;
});
afterAll(() => {
  client.close();
  server.forceShutdown();
});

const login = (token: string) => `Basic ${Buffer.from(`team-a.dev1:${token}`).toString("base64")}`;

function ask(authority: string, source = "10.244.0.7:40000", logins = [login("one")]) {
  const { path, requestSerialize, responseDeserialize } = externalProcessor.process;
  const stream: ClientDuplexStream<ProcessingRequest, ProcessingResponse> = client.makeBidiStreamRequest(
    path,
    requestSerialize,
    responseDeserialize,
  );
  const said: ProcessingResponse[] = [];
  stream.on("data", (response) => said.push(response)).on("error", () => undefined);
  const all = { ":method": ["CONNECT"], ":authority": [authority], "proxy-authorization": logins };
  const headers = Object.entries(all).flatMap(([key, values]) =>
    values.map((value) => ({ key, rawValue: Buffer.from(value) })),
  );
  const attributes = { filter: { fields: { "source.address": { stringValue: source } } } };
  stream.write({ requestHeaders: { headers: { headers } }, attributes });
  const first = () => vi.waitFor(() => said[0] ?? Promise.reject(new Error("nothing")), 5_000);
  return { stream, said, first };
}

const figure = (name: string) => Number(new RegExp(`${name} (\\d+)`).exec(metrics.toString())?.[1]);

it.each(["10.244.0.7:40000", "[fd00::7]:40000"])(
  "says which address is dialled to who asks from %s, and ends it when it is no longer allowed",
  async (source) => {
    const { first, said, stream } = ask("pypi.org:443", source);
    expect(await first()).toMatchObject({
      requestHeaders: { response: {} },
      dynamicMetadata: {
        fields: {
          drawbridge: { structValue: { fields: { destination: { stringValue: "198.51.100.1:443" } } } },
        },
      },
    });
    expect(lines).toEqual([expect.objectContaining({ container: "team-a/dev1", outcome: "allowed" })]);
    ring();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(said).toHaveLength(1);
    hosts = new Set();
    ring();
    await vi.waitFor(() => expect(said[1]?.immediateResponse?.status.code).toBe(403));
    stream.end();
    await vi.waitFor(() => expect(figure("egress_tunnels")).toBe(0));
  },
);

it.each([
  ["another host", "evil.example:443", undefined, undefined, 403],
  ["another's token", "pypi.org:443", undefined, [login("two")], 407],
  ["two logins, the first its own", "pypi.org:443", undefined, [login("one"), login("two")], 407],
  ["two logins, the last its own", "pypi.org:443", undefined, [login("two"), login("one")], 407],
  ["no login", "pypi.org:443", undefined, [], 407],
  ["no address", "pypi.org:443", "", undefined, 407],
])("refuses %s, and says why", async (_, authority, source, logins, status) => {
  const { first } = ask(authority, source, logins);
  const { immediateResponse } = await first();
  expect(immediateResponse?.status.code).toBe(status);
  const headers = immediateResponse?.headers?.setHeaders.map(({ header }) => header.key);
  expect(headers).toEqual([
    "content-type",
    "x-egress-reason",
    ...(status === 407 ? ["proxy-authenticate"] : []),
  ]);
  expect(lines).toEqual([expect.objectContaining({ outcome: "refused" })]);
  expect(figure("egress_tunnels")).toBe(0);
});

it("forgets a tunnel that was given up before the answer, or whose stream broke", async () => {
  const given = ask("slow.example:443");
  await vi.waitFor(() => expect(answerSlow).toEqual(expect.any(Function)));
  given.stream.end();
  const broken = ask("pypi.org:443");
  await broken.first();
  expect(figure("egress_tunnels")).toBe(1);
  broken.stream.cancel();
  await vi.waitFor(() => expect(figure("egress_tunnels")).toBe(0));
  answerSlow?.();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([figure("egress_tunnels"), lines.length]).toEqual([0, 1]);
});
