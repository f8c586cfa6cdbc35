/** A company's network: its authority in the laptop's store, and a proxy with a password before everything outside. */

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import net from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import tls from "node:tls";
import { temporaryFolder } from "@drawbridge-iac/drawbridge/src/kit/temporary-folder.fixture";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { listening } from "../machine.fixture.ts";

const folder = temporaryFolder();
const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
const servers: net.Server[] = [];
let asked: string[] = [];
let proxyPort: number;
/** Ports of this computer by the names that only the proxy resolves. */
const outside: Record<string, number> = {};

beforeAll(async () => {
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
  const names =
    "subjectAltName=DNS:gate.example.com,DNS:files.example.com,DNS:localhost,DNS:kube.example.com";
  const self = [
    "req",
    "-x509",
    "-nodes",
    ...curve,
    "-subj",
    "/CN=company",
    "-addext",
    names,
    "-keyout",
    key,
    "-out",
    cert,
  ];
  execFileSync("openssl", self, { stdio: "ignore" });
  const pair = { key: readFileSync(key), cert: readFileSync(cert) };
  const gateway = (socket: net.Socket) => {
    socket
      .on("error", () => undefined)
      .once("data", (chunk) => {
        asked.push(`gateway ${String(chunk).split("\r\n", 1)[0]}`);
        socket.end("HTTP/1.1 200 OK\r\n\r\nSSH-2.0-there\r\n");
      });
  };
  const proxy = http.createServer().on("connect", ({ url = "", headers }, socket: net.Socket) => {
    asked.push(`proxy ${url}`);
    if (headers["proxy-authorization"] !== `Basic ${btoa("me:p@ss")}`) {
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      return;
    }
    const port = outside[url];
    if (port === undefined) return void socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    const far = net.connect(port, "127.0.0.1", () => socket.write("HTTP/1.1 200 OK\r\n\r\n"));
    socket
      .pipe(far)
      .pipe(socket)
      .on("error", () => undefined);
    far.on("error", () => undefined);
  });
  const files = https.createServer(pair, (_request, response) => response.end("[]"));
  const start = async (server: net.Server) => {
    servers.push(server);
    return listening(server);
  };
  outside["gate.example.com:443"] = await start(tls.createServer(pair, gateway));
  outside["gate.example.com:80"] = await start(net.createServer(gateway));
  outside["files.example.com:443"] = await start(files);
  outside["kube.example.com:6443"] = await start(
    https.createServer(pair, (_request, response) => response.end('{"items":[]}')),
  );
  proxyPort = await start(proxy);
  const secure = tls.createServer(pair, (socket) => void proxy.emit("connection", socket));
  outside.secureProxy = await start(secure);
});
afterAll(() => {
  for (const server of servers) server.close();
});
beforeEach(() => {
  asked = [];
});

/** What the command says, in an environment of nothing else. */
async function command(words: readonly string[], env: Record<string, string>) {
  const { PATH = "", NODE_OPTIONS = "" } = process.env;
  const main = join(import.meta.dirname, "../main.ts");
  const child = spawn(process.execPath, [main, ...words], {
    env: { PATH, NODE_OPTIONS, HOME: folder, ...env },
  });
  child.stdin.end();
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { stdout, stderr };
}

const by = (via: string, ...more: string[]) => ["proxy", "--via", via, "--host", "dev1.example.com", ...more];
const login = (at = `127.0.0.1:${proxyPort}`) => `http://me:p%40ss@${at}`;
const there = { stdout: "SSH-2.0-there\r\n", stderr: "" };

it("reaches a gateway through the proxy, by the authority in the system's store", async () => {
  const env = { HTTPS_PROXY: login(), SSL_CERT_FILE: cert };
  expect(await command(by("https://gate.example.com"), env)).toEqual(there);
  const way = ["proxy gate.example.com:443", "gateway CONNECT dev1.example.com:22 HTTP/1.1"];
  // Node's own authorities are tried first.
  expect(asked).toEqual([way[0], ...way]);
});

it("reaches an frp server and a plain gateway through it, and the proxy itself by TLS", async () => {
  expect(await command(by("http://gate.example.com/x.frp"), { http_proxy: login() })).toEqual(there);
  expect(asked).toEqual(["proxy gate.example.com:80", "gateway CONNECT x.frp:22 HTTP/1.1"]);
  const secure = `https://me:p%40ss@localhost:${outside.secureProxy}`;
  const env = { ALL_PROXY: secure, NODE_EXTRA_CA_CERTS: cert };
  expect(await command(by("https://gate.example.com"), env)).toEqual(there);
});

it("reads outputs from an address through it", async () => {
  const { stderr } = await command(["ssh-config", "--from", "https://files.example.com/a"], {
    HTTPS_PROXY: login(),
    SSL_CERT_FILE: cert,
  });
  expect([stderr, asked]).toEqual([
    expect.stringMatching(/^drawbridge: the outputs name no container/),
    ["proxy files.example.com:443"],
  ]);
});

it("asks the Kubernetes API through it, unless the kubeconfig names another", async () => {
  const kubeconfig = join(folder, "kubeconfig");
  const cluster = { server: "https://kube.example.com:6443" };
  const env = { HTTPS_PROXY: login(), SSL_CERT_FILE: cert, KUBECONFIG: kubeconfig };
  for (const proxy of [{}, { "proxy-url": "http://127.0.0.1:1" }]) {
    const config = {
      "current-context": "c",
      contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
      clusters: [{ name: "c", cluster: { ...cluster, ...proxy } }],
      users: [{ name: "u", user: { token: "t" } }],
    };
    writeFileSync(kubeconfig, JSON.stringify(config));
    const { stdout, stderr } = await command(["doctor", "--teams"], env);
    expect(stdout + stderr).toMatch("proxy-url" in proxy ? /ECONNREFUSED 127.0.0.1:1/ : /^$/);
  }
  expect(new Set(asked)).toEqual(new Set(["proxy kube.example.com:6443"]));
});

it.each([
  ["an authority nobody here knows", {}, [], /signed by an authority that is not trusted here/],
  ["one beside the authority of --ca", { SSL_CERT_FILE: cert }, ["--ca", "OTHER"], /not trusted here/],
  [
    "a proxy that wants a password",
    { HTTPS_PROXY: "PROXY" },
    [],
    /the proxy 127\.0\.0\.1:\d+, which HTTPS_PROXY names, asks for credentials \(407\); write them as http:\/\/USER:PASSWORD@… in HTTPS_PROXY/,
  ],
  ["a wrong password", { HTTPS_PROXY: "http://me:hidden@PROXY" }, [], /refuses your credentials \(407\)/],
  [
    "a proxy that is not there",
    { HTTPS_PROXY: "http://me:hidden@127.0.0.1:1" },
    [],
    /the proxy 127\.0\.0\.1:1, which HTTPS_PROXY names, cannot be reached \(ECONNREFUSED\)/,
  ],
  ["NO_PROXY", { NO_PROXY: "example.com" }, [], /gate\.example\.com cannot be resolved|cannot be reached/],
])("says why it does not get past %s, and shows no secret", async (_what, env, words, why) => {
  const other = join(folder, "other.pem");
  execFileSync(
    "openssl",
    [
      "req",
      "-x509",
      "-nodes",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:prime256v1",
      "-subj",
      "/CN=o",
      "-keyout",
      "/dev/null",
      "-out",
      other,
    ],
    { stdio: "ignore" },
  );
  const set = Object.entries({ HTTPS_PROXY: login(), ...env }).map(([name, value]) => [
    name,
    value.replace("PROXY", `127.0.0.1:${proxyPort}`),
  ]);
  const said = await command(
    by("https://gate.example.com", ...words.map((word) => word.replace("OTHER", other))),
    Object.fromEntries(set),
  );
  expect(said.stdout).toBe("");
  expect(said.stderr).toMatch(why);
  expect(said.stderr).not.toMatch(/hidden|p@ss|p%40ss|Basic/);
});

it("refuses what else the proxy does not let out", async () => {
  const { stderr } = await command(by("https://else.example.com:8443"), { HTTPS_PROXY: login() });
  expect(stderr).toBe(
    `drawbridge: the proxy 127.0.0.1:${proxyPort}, which HTTPS_PROXY names, answers 403 to CONNECT else.example.com:8443; ask its owner to allow that, or name the host in NO_PROXY if it is reached directly\n`,
  );
});
