import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createSecureServer, createServer, type ServerHttp2Stream } from "node:http2";
import { createServer as createHttp1 } from "node:https";
import { type AddressInfo, createServer as createTcp } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTls } from "node:tls";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { watchGrant } from "./egress-grants.ts";
import { type SharedWatch, sharedWatches } from "./shared-watch.ts";

const folder = mkdtempSync(join(tmpdir(), "watches-"));
writeFileSync(join(folder, "token"), "t\n");
writeFileSync(join(folder, "ca.crt"), "");

/** An API server that begins every watch, but those of `/forbidden`. */
async function apiServer() {
  const server = createServer({ settings: { maxConcurrentStreams: 100 } });
  const streams = new Map<string, ServerHttp2Stream>();
  const seen = { connections: 0, open: 0, tokens: new Set<unknown>() };
  server.on("session", (session) => {
    seen.connections += 1;
    seen.open += 1;
    session.on("close", () => (seen.open -= 1));
  });
  server.on("stream", (stream, { ":path": path = "", authorization }) => {
    seen.tokens.add(authorization);
    stream.on("error", () => undefined);
    stream.respond({ ":status": path === "/forbidden" ? 403 : 200 }, { endStream: path === "/forbidden" });
    streams.set(path, stream);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { streams, seen, watch: sharedWatches(`http://127.0.0.1:${port}`, folder, "test") };
}

it("a hundred watches share a connection, each rings for itself, and none is left over", async () => {
  const { streams, seen, watch } = await apiServer();
  const rings = new Map<string, number>();
  const end = new AbortController();
  const paths = Array.from({ length: 150 }, (_, index) => `/${index}`);
  const all = paths.map((path) =>
    watch(path, () => rings.set(path, (rings.get(path) ?? 0) + 1), end.signal).catch(() => "ended"),
  );
  await vi.waitFor(() => expect(rings.size).toBe(150));
  expect([seen.connections, [...seen.tokens]]).toEqual([2, ["Bearer t"]]);
  streams.get("/7")?.write("event");
  await vi.waitFor(() => expect(rings.get("/7")).toBe(2));
  expect([...rings.values()].filter((count) => count === 1)).toHaveLength(149);
  streams.get("/8")?.end();
  expect(await all[8]).toBe(undefined);
  end.abort();
  expect(new Set(await Promise.all(all))).toEqual(new Set([undefined, "ended"]));
  await vi.waitFor(() => expect(seen.open).toBe(0));
});

it("one whose API server is gone without a word ends", async () => {
  // It takes what comes, and never answers.
  const silent = createTcp((socket) => socket.on("error", () => undefined).resume()).listen(0, "127.0.0.1");
  await once(silent, "listening");
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  const watch = sharedWatches(`http://127.0.0.1:${port}`, folder, "test", 50);
  await expect(watch("/x", vi.fn(), new AbortController().signal)).rejects.toThrow("does not answer");
});

it("one that is refused ends without a ring", async () => {
  const { watch } = await apiServer();
  const ring = vi.fn();
  expect(await watch("/forbidden", ring, new AbortController().signal)).toBe(undefined);
  expect(ring).not.toHaveBeenCalled();
});

describe("watches on connections of their own", () => {
  const key = join(folder, "key.pem");
  const cert = join(folder, "ca.crt");
  const made = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=x";
  const forIt = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", cert];
  execFileSync("openssl", [...made.split(" "), ...forIt], { stdio: "ignore" });
  const tls = { key: readFileSync(key), cert: readFileSync(cert) };
  const none = () => undefined;
  const refused = createTcp((socket) => socket.destroy());
  const resets = createSecureServer(tls).on("stream", (stream) => stream.on("error", none).close(2));
  const goes = createSecureServer(tls)
    .on("session", (session) => session.on("error", none).goaway(2))
    .on("stream", (stream) => stream.on("error", none));

  it.each([
    ["one that offers HTTP/1.1 alone", createHttp1({ ...tls, ALPNProtocols: ["http/1.1"] }), true],
    ["one that knows nothing of protocols", createTls(tls, (socket) => socket.on("error", none)), true],
    ["one that closes each connection", refused, false],
    ["one that ends each watch", resets, false],
    ["one that goes away", goes, false],
  ])("of an API server, %s", async (_, server, areAlone) => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const end = new AbortController();
    const ring = vi.fn();
    const watched: string[] = [];
    async function* watch(path: string) {
      watched.push(path);
      yield { type: "ADDED" as const, object: {} };
      await once(end.signal, "abort");
    }
    let failures = 0;
    const shared = sharedWatches(`https://127.0.0.1:${port}`, folder, "test");
    const counted: SharedWatch = (...args) =>
      shared(...args).finally(() => {
        failures += 1;
      });
    watchGrant({ watch }, counted)({ namespace: "team-a", name: "dev1" }, ring, end.signal);
    await vi.waitFor(() => expect(areAlone ? ring.mock.calls.length : failures).toBe(2), 5_000);
    end.abort();
    const path =
      "/api/v1/namespaces/team-a/configmaps?watch=1&fieldSelector=metadata.name%3Degress-grant.dev1";
    expect([watched, failures]).toEqual(areAlone ? [[path], 1] : [[], 2]);
  });
});
