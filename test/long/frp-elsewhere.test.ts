/** frpc as a container's stack configures it, against a plain frps that someone runs already. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { frpAccessSchema } from "@drawbridge-iac/drawbridge/src/host/frpc/args";
import { type KnownFrpcPlan, planFrpc } from "@drawbridge-iac/drawbridge/src/host/frpc/plan";
import { frpcToml } from "@drawbridge-iac/drawbridge/src/host/frpc/toml";
import { parseArgs } from "@drawbridge-iac/drawbridge/src/kit/args-error";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../../packages/drawbridge/src/kit/temporary-folder.fixture.ts";
import { silentProgress } from "../../packages/lab/src/progress.ts";
import { ensureTools } from "../../packages/lab/src/tools/index.ts";
import { freePort } from "../../scripts/lib/free-port.ts";
import { connectThrough, greeter, Program, startFrpc, suffix } from "../../scripts/lib/stacks/frp.ts";

// With what both a template and TOML could trip over.
const authToken = `the auth.token of that server, "{{\\}}" $(32) long`;
const folder = temporaryFolder();
let frps: Program;
let sshd: Awaited<ReturnType<typeof greeter>>;
const ports = { server: 0, connect: 0 };

beforeAll(async () => {
  ports.server = await freePort();
  ports.connect = await freePort();
  await writeFile(join(folder, "token"), authToken);
  const token = `auth.tokenSource = { type = "file", file = { path = "${folder}/token" } }`;
  const toml = `bindPort = ${ports.server}\ntcpmuxHTTPConnectPort = ${ports.connect}\n${token}\n`;
  await writeFile(join(folder, "frps.toml"), toml);
  const { frps: program } = await ensureTools(["frps"], silentProgress);
  frps = new Program(program, ["-c", join(folder, "frps.toml")]);
  await frps.says("frps started successfully");
  sshd = await greeter("SSH-2.0-own");
});

afterAll(async () => {
  await sshd.close();
  await frps.stop();
});

/** The container's frpc.toml for that server, which has no certificate of its own. */
function toml(): string {
  const access = parseArgs("frp", "dev1", frpAccessSchema, {
    external: {
      serverAddr: "127.0.0.1",
      serverPort: ports.server,
      connectPort: ports.connect,
      domain: suffix,
      unverifiedTls: true,
    },
    address: "127.0.0.1",
    token: authToken,
  });
  return frpcToml(planFrpc("dev1", "team-a", access) as KnownFrpcPlan, sshd.port);
}

test("its auth.token registers the container's name", async () => {
  const frpc = await startFrpc(toml(), authToken, "");
  await frpc.says("start proxy success");
  const tunnel = await connectThrough(ports.connect, `dev1.team-a.${suffix}`);
  expect(tunnel.greeting).toBe("SSH-2.0-own");
  await frpc.remove();
});

test("another token is refused", async () => {
  const frpc = await startFrpc(toml(), "another token of thirty-two characters", "");
  await frpc.says("token in login doesn't match token from configuration");
  expect(frpc.output).not.toContain("login to server success");
  await frpc.remove();
});
