/** Somebody with nothing but the documentation and the packages from npm. */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unreachableKubeconfig } from "../support/engine.ts";
import { OutsiderProject } from "../support/outsider.ts";

const hostKeySeed = "only-for-tests-0123456789abcdef0123456789abcdef";
let project: OutsiderProject;

// The packages are compiled, packed and installed.
beforeAll(async () => {
  project = await OutsiderProject.create();
  const page = await readFile("docs/existing-code.md", "utf8");
  const block = (language: string) =>
    new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "ms").exec(page)?.[1] ?? "";
  await project.write("tsconfig.json", block("json"));
  await project.write("index.ts", block("ts"));
}, 1_800_000);
afterAll(() => project.remove());

describe("an outsider's program, as the docs have it", () => {
  it("compiles under strict, and not with a misspelt argument", async () => {
    expect(await project.bin("tsc", "-p", ".")).toEqual({ code: 0, stdout: "", stderr: "" });
    const right = await readFile(`${project.folder}/index.ts`, "utf8");
    await project.write("index.ts", right.replace("authorizedKeys:", "authorisedKeys:"));
    const { code, stdout } = await project.bin("tsc", "-p", ".");
    await project.write("index.ts", right);
    expect(code).toBe(2);
    expect(stdout).toContain("'authorisedKeys' does not exist in type 'DevContainerArgs'");
  });

  it("previews, and the guard that npm installed reads it", async () => {
    const preview = await project.preview({
      publicKey: {
        value: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice",
      },
      hostKeySeed: { value: hostKeySeed, secret: true },
      kubeconfig: { value: unreachableKubeconfig, secret: true },
    });
    expect({ code: preview.code, stderr: preview.stderr }).toEqual({ code: 0, stderr: "" });
    expect(preview.stdout).not.toContain(hostKeySeed);
    await project.write("preview.json", preview.stdout);
    const { code, stdout } = await project.bin("drawbridge-preview-guard", "preview.json");
    expect({ code, title: stdout.split("\n")[0] }).toEqual({
      code: 0,
      title: "## drawbridge: nothing dangerous",
    });
    expect(stdout).toContain("\n\nResources: 12 to create.\n\n### Who gains and loses what\n\n");
    expect(stdout).toContain(
      '- the key SHA256:hWiiFCdFrWMlecdWRDRKs1WCY90fN1/6wqemuALhdmA ("alice") gains access to dev1\n',
    );
    expect(stdout).toContain("\n\n### Cost\n\n- storage: +20 GiB\n\n### DevContainer dev1\n\n- is new\n");
  });
});
