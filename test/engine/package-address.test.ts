/** `pulumi package add` with an address that is wrong, from a git server of the test's own: the reason, and no file. */
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { silentProgress } from "../../packages/lab/src/progress.ts";
import { pulumiTools } from "../../packages/lab/src/pulumi.ts";
import { TestCa } from "../support/lab/certificates.ts";
import { must, run } from "../support/lab/lab.ts";

const described = "name: team\nruntime: yaml\n";
let folder: string;
let ca: TestCa;
let server: Server;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawbridge-address-"));
  ca = await TestCa.create("git", folder);
  const { cert, key } = await ca.issue("server", { subject: "/CN=localhost", names: "DNS.1=localhost" });
  for (const place of ["project", "clone", "home"]) await mkdir(join(folder, place));
  await writeFile(join(folder, "project", "Pulumi.yaml"), described);
  const git = (...words: string[]) =>
    must("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...words], {
      cwd: join(folder, "clone"),
    });
  await git("init", "--quiet");
  await must("cp", ["-r", resolve("plugin"), resolve("starter"), join(folder, "clone")]);
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "first");
  await git("tag", "v0.1.0");
  await git("clone", "--quiet", "--bare", ".", join(folder, "drawbridge.git"));
  server = createServer({ cert, key }, async (request, response) => {
    const [path, query = ""] = `${request.url}`.split("?");
    const backend = spawn("git", ["http-backend"], {
      env: {
        PATH: process.env.PATH,
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: "1",
        PATH_INFO: path,
        QUERY_STRING: query,
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers["content-type"] ?? "",
      },
    });
    request.pipe(backend.stdin);
    const answer = await buffer(backend.stdout);
    const end = answer.indexOf("\r\n\r\n");
    const type = /^Content-Type: (.*)$/m.exec(`${answer.subarray(0, end)}`)?.[1]?.trim() ?? "";
    response.writeHead(200, { "content-type": type }).end(answer.subarray(end + 4));
  }).listen(0, "localhost");
  env = {
    ...(await pulumiTools(silentProgress)).env,
    HOME: join(folder, "home"),
    SSL_CERT_FILE: ca.certFile,
    NO_PROXY: "localhost",
    PULUMI_BACKEND_URL: `file://${folder}`,
  };
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

it.each([
  ["plugin@v9.9.9", 'couldn\'t find remote ref "refs/tags/v9.9.9"'],
  ["starter@v0.1.0", "or a PulumiPlugin file"],
  ["plugins@v0.1.0", "or a PulumiPlugin file"],
])("%s: Pulumi says why, and the project is as it was", async (place, reason) => {
  const { port } = server.address() as AddressInfo;
  const address = `https://localhost:${port}/drawbridge.git/${place}`;
  const cwd = join(folder, "project");
  const { code, stderr } = await run("pulumi", ["package", "add", address], {
    cwd,
    env,
    timeoutSeconds: 250,
  });
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(reason) });
  expect(await readdir(cwd)).toEqual(["Pulumi.yaml"]);
  expect(await readFile(join(cwd, "Pulumi.yaml"), "utf8")).toBe(described);
});
