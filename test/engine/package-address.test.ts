/** `pulumi package add` with an address that is wrong, from a git server of the test's own: the reason, and no file. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { temporaryFolder } from "../../packages/drawbridge/src/kit/temporary-folder.fixture.ts";
import { silentProgress } from "../../packages/lab/src/progress.ts";
import { pulumiTools } from "../../packages/lab/src/pulumi.ts";
import { run } from "../../scripts/lib/lab/lab.ts";
import { gitServer } from "../support/release/git-server.ts";

const described = "name: team\nruntime: yaml\n";
const folder = temporaryFolder();
let server: Awaited<ReturnType<typeof gitServer>>;
let env: Record<string, string>;

beforeAll(async () => {
  for (const place of ["project", "home"]) await mkdir(join(folder, place));
  await writeFile(join(folder, "project", "Pulumi.yaml"), described);
  server = await gitServer(folder, "v0.1.0", ["plugin", "starter"]);
  env = {
    ...(await pulumiTools(silentProgress)).env,
    PULUMI_HOME: join(folder, "home"),
    SSL_CERT_FILE: server.ca.certFile,
    NO_PROXY: server.host,
    PULUMI_BACKEND_URL: `file://${folder}`,
  };
});
afterAll(async () => {
  server.stop();
});

it.each([
  ["plugin@v9.9.9", 'couldn\'t find remote ref "refs/tags/v9.9.9"'],
  ["starter@v0.1.0", "or a PulumiPlugin file"],
  ["plugins@v0.1.0", "or a PulumiPlugin file"],
])("%s: Pulumi says why, and the project is as it was", async (place, reason) => {
  const address = `${server.address}/${place}`;
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
