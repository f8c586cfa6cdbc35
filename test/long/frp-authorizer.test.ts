/**
 * Real frps and frpc on loopback, with the authorizer between them: who gets a name, and who loses it. Who does not get
 * one is in attacks-frp.
 */
import { deriveServerCertificate } from "@drawbridge-iac/drawbridge/src/frp-server/certificate";
import { metricsUser } from "@drawbridge-iac/drawbridge/src/frp-server/configuration";
import { deriveMetricsPassword } from "@drawbridge-iac/drawbridge/src/frp-server/secrets";
import { deriveFrpToken } from "@drawbridge-iac/drawbridge/src/host/frpc/token";
import { frpcToml } from "@drawbridge-iac/drawbridge/src/host/frpc/toml";
import { tokenHash } from "@drawbridge-iac/drawbridge/src/kit/crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../../scripts/lib/lab/lab.ts";
import {
  connectThrough,
  FrpServerOnLoopback,
  greeter,
  type Program,
  seed,
  startFrpc,
  suffix,
} from "../../scripts/lib/stacks/frp.ts";

type Frpc = Program & { readonly remove: () => Promise<void> };

const units = ["team-a/dev1", "team-a/dev2", "team-b/dev1"];
const token = (unit: string) => deriveFrpToken(seed, unit);
const known = (unit: string) => ({ tokenSha256: tokenHash(token(unit)) });
const everybody = Object.fromEntries(units.map((unit) => [unit, known(unit)]));

let server: FrpServerOnLoopback;
let sshd: Awaited<ReturnType<typeof greeter>>;
const started: Frpc[] = [];

beforeAll(async () => {
  server = await FrpServerOnLoopback.start(everybody);
  sshd = await greeter("SSH-2.0-own");
});

afterAll(async () => {
  for (const frpc of started) await frpc.remove();
  await sshd.close();
  await server.stop();
});

/** The container's own frpc.toml, by its own token unless told otherwise, then changed by `tamper`. */
async function frpcOf(
  unit: string,
  options: { token?: string; caBundle?: string; tamper?: (toml: string) => string } = {},
): Promise<Frpc> {
  const [namespace = "", name = ""] = unit.split("/");
  const toml = frpcToml(server.frpc(namespace, name), sshd.port);
  const frpc = await startFrpc(
    (options.tamper ?? ((text) => text))(toml),
    options.token ?? token(unit),
    options.caBundle ?? server.certificate.caBundle,
  );
  started.push(frpc);
  return frpc;
}

const own = `dev1.team-a.${suffix}`;
const setDomains = (domains: string) => (toml: string) =>
  toml.replace(/customDomains = .*/, `customDomains = [${domains}]`);

test("a container registers its own name, and clients of HTTP/1.0 and 1.1 reach it", async () => {
  const frpc = await frpcOf("team-a/dev1");
  await frpc.says("start proxy success");
  expect(await connectThrough(server.ports.connect, own)).toMatchObject({ greeting: "SSH-2.0-own" });
  expect(await connectThrough(server.ports.connect, own, "1.0")).toMatchObject({ greeting: "SSH-2.0-own" });
  await frpc.remove();
});

test("an unknown name is answered 404", async () => {
  const tunnel = await connectThrough(server.ports.connect, `nobody.team-a.${suffix}`);
  expect(tunnel.status).toBe("HTTP/1.1 404 Not Found");
});

test.each([
  ["a plain TCP port", 'type = "tcp"\nremotePort = 22000', "is not allowed here"],
  ["a web domain", `type = "http"\ncustomDomains = ["${own}"]`, "is not allowed here"],
  ["a place in a load-balancing group", 'loadBalancer.group = "g"', "sets group, which has no use here"],
  ["a route by HTTP user", 'routeByHTTPUser = "alice"', "sets route_by_http_user, which has no use here"],
])("a valid token does not get %s", async (_what, lines, refusal) => {
  const frpc = await frpcOf("team-a/dev1", {
    tamper: (toml) => {
      const [head = "", proxy = ""] = toml.split("[[proxies]]");
      const kept = lines.startsWith("type")
        ? proxy.replace(/type = .*\nmultiplexer = .*\ncustomDomains = .*\n/, "")
        : proxy;
      return `${head}[[proxies]]${kept}${lines}\n`;
    },
  });
  await frpc.says(refusal);
  expect(frpc.output).not.toContain("start proxy success");
  await frpc.remove();
});

// "x509: certificate …", or "session shutdown" where frpc's multiplexer is first to see the end.
const notTrusted = "connect to server error";

test.each([
  [
    "no TLS",
    { tamper: (toml: string) => toml.replace("enable = true", "enable = false") },
    "connect to server error",
  ],
  [
    "a CA that did not sign frps's certificate",
    { caBundle: deriveServerCertificate("x".repeat(40), "frp/frp", ["frps.test"]).caBundle },
    notTrusted,
  ],
  [
    "a server name that is not in frps's certificate",
    { tamper: (toml: string) => toml.replace('"frps.test"', '"other.test"') },
    notTrusted,
  ],
])("a login with %s is refused", async (_what, options, refusal) => {
  const frpc = await frpcOf("team-a/dev1", options);
  await frpc.says("connect to server error");
  await frpc.says(refusal);
  expect(frpc.output).not.toContain("login to server success");
  await frpc.remove();
});

test("a token that is revoked while its frpc is connected loses its session and its name", async () => {
  const frpc = await frpcOf("team-a/dev1");
  await frpc.says("start proxy success");
  const { socket } = await connectThrough(server.ports.connect, own);
  const ended = new Promise<number>((resolve) => socket.once("close", () => resolve(Date.now())));
  const revokedAt = Date.now();
  await server.setUnits({ ...everybody, "team-a/dev1": { ...known("team-a/dev1"), revoked: true } });
  const seconds = ((await ended) - revokedAt) / 1000;
  console.log(`revoked: the open session ended after ${seconds.toFixed(1)} s`);
  expect(seconds).toBeLessThan(15);
  await frpc.says("the container is revoked by the platform");
  expect((await connectThrough(server.ports.connect, own)).status).toBe("HTTP/1.1 404 Not Found");
  await server.setUnits(everybody);
  await frpc.remove();
  const again = await frpcOf("team-a/dev1");
  await again.says("start proxy success");
  await again.remove();
});

test("frps refuses everybody while the authorizer is away, and takes them back with it", async () => {
  await server.authorizer.stop();
  const frpc = await frpcOf("team-a/dev1");
  await frpc.says("send Login request to plugin error");
  await server.startAuthorizer();
  await frpc.says("start proxy success");
  await frpc.remove();
});

test("every decision is logged with its reason, and no token ever is", async () => {
  const lines = server.authorizer.output.trim().split("\n");
  expect(lines.every((line) => typeof JSON.parse(line) === "object")).toBe(true);
  const frpc = await frpcOf("team-a/dev2", { tamper: setDomains('"*"') });
  await server.authorizer.says('*","outcome":"refused"');
  await frpc.remove();
  const all = `${server.authorizer.output}${server.frps.output}`;
  for (const unit of units) expect(all).not.toContain(token(unit));
});

test("metrics need their password, health does not, and decisions are counted", async () => {
  const web = `http://127.0.0.1:${server.ports.metrics}`;
  expect((await fetch(`${web}/healthz`)).status).toBe(200);
  expect((await fetch(`${web}/metrics`)).status).toBe(401);
  const password = deriveMetricsPassword(seed, "frp/frp");
  const authorization = `Basic ${Buffer.from(`${metricsUser}:${password}`).toString("base64")}`;
  const metrics = await (await fetch(`${web}/metrics`, { headers: { authorization } })).text();
  expect(metrics).toContain("frp_server_client_counts ");
  const own = `http://127.0.0.1:${server.ports.authorizerMetrics}`;
  const decisions = await eventually("a counted refusal", async () => {
    const text = await (await fetch(`${own}/metrics`)).text();
    return /drawbridge_frp_decisions_total\{operation="NewProxy",outcome="refused"\} [1-9]/.exec(text)?.[0];
  });
  expect(decisions).toMatch(/ [1-9]$/);
});
