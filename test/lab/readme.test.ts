/** The README's program on the real cluster, taken from the page, and the two commands that let somebody in. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { type InstalledCli, installCli } from "../support/cli.ts";
import { testSeed } from "../support/cluster.ts";
import { testStack } from "../support/engine.ts";
import { eventually, kubectl, Laptop, run } from "../support/lab.ts";
import { pageBlock } from "../support/page-blocks.ts";

// Inside the repository, where the packages are found.
const file = resolve(`.drawbridge/readme-${process.pid}.ts`);
let cli: InstalledCli;
let laptop: Laptop;
let made: Awaited<ReturnType<typeof testStack>>;

beforeAll(async () => {
  cli = await installCli();
  laptop = await Laptop.create();
  await mkdir(".drawbridge", { recursive: true });
  await writeFile(file, await pageBlock("README.md", "ts", "new DevContainer"));
  // Each run of the program loads it anew, as Pulumi does.
  let runs = 0;
  made = await testStack(async () => {
    runs += 1;
    return { ...(await import(`${pathToFileURL(file).href}?${runs}`)) };
  });
});
afterAll(async () => {
  await made.stack.destroy();
  await made.removeState();
  await kubectl(["delete", "namespace", "team-a", "ssh-ingress", "--ignore-not-found"]);
  await Promise.all([laptop.remove(), cli.remove(), rm(file, { force: true })]);
});

it("is up with the three values that the README sets, and leads to a prompt", async () => {
  await made.stack.setAllConfig({
    image: { value: imageRef("devcontainer") },
    publicKey: { value: laptop.publicKey },
    hostKeySeed: { value: testSeed, secret: true },
  });
  const { outputs } = await made.stack.up();
  expect(Object.keys(outputs)).toEqual(["target"]);
  expect(Object.keys((await made.stack.preview()).changeSummary)).toEqual(["same"]);
  const written = await cli.run(["ssh-config", "--from", "-", "--identity", laptop.keyFile], {
    input: JSON.stringify({ target: outputs.target?.value }),
  });
  expect(written).toMatchObject({ code: 0, stderr: "" });
  const login = await eventually(
    "the first login",
    async () => {
      const config = join(cli.home, ".ssh", "config");
      const attempt = await run("ssh", ["-F", config, "dev1", "hostname; id -un"], { env: cli.env });
      return attempt.code === 0 ? attempt : undefined;
    },
    90,
  );
  expect(login.stdout).toBe("dev1-0\njovyan\n");
});
