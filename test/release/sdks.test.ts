/** The SDKs for Python and Go, installed where nothing of this repository is: what their compilers hold of programs. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { goModule } from "../../scripts/release/sdk-names.ts";
import { run } from "../support/lab.ts";
import { pageBlock } from "../support/page-blocks.ts";
import { goWith, programFiles, programs, pythonWith, sdksIn } from "../support/sdks.ts";

let folder: string;
let sdks: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawbridge-sdks-"));
  sdks = await sdksIn(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("for Python: the wheel in a fresh virtual environment", () => {
  let python: string;
  const mypy = (file: string) =>
    run(python, ["-m", "mypy", "--strict", "--cache-dir", join(folder, "mypy"), file], {
      timeoutSeconds: 900,
    });
  const clean = { code: 0, stdout: "Success: no issues found in 1 source file\n", stderr: "" };

  beforeAll(async () => {
    python = await pythonWith(sdks, join(folder, "python"), ["mypy==1.18.2"]);
  });

  it("has types that hold a program", async () => {
    expect(await mypy(join(programs, "team.py"))).toEqual(clean);
  });

  it("has types that hold what the page shows", async () => {
    const page = await pageBlock("docs/languages.md", "python", "drawbridge.SshGateway(");
    const file = join(folder, "page.py");
    const before = "import pulumi\nimport pulumi_drawbridge as drawbridge\nconfig = pulumi.Config()\n";
    await writeFile(file, `${before}${page}`);
    expect(await mypy(file)).toEqual(clean);
  });

  it("finds wrong names, missing arguments and wrong types before a program runs", async () => {
    const file = join(folder, "wrong.py");
    const calls = [
      "drawbridge.StorageAccessor('a', namespace='team-a', sizes='1Gi')",
      "drawbridge.SshGatewayRefArgs(name='gw', namespace='gw')",
      "drawbridge.DevContainerSshArgs(port='22')",
      "drawbridge.DevContainer('a', namespace='team-a', image='i', ssh={'port': '22'})",
    ];
    await writeFile(file, `import pulumi_drawbridge as drawbridge\n${calls.join("\n")}\n`);
    const { code, stdout } = await mypy(file);
    const lines = stdout.split("\n").flatMap((line) => /:(\d+): error: /.exec(line)?.[1] ?? []);
    expect({ code, lines }).toEqual({ code: 1, lines: ["2", "3", "4", "5"] });
  });
});

describe("for Go: the archive as a proxy's module", () => {
  it("compiles, and holds a program", async () => {
    const files = await programFiles("operate.go", "team.go");
    const { go } = await goWith(sdks, join(folder, "go"), files);
    expect(await go("vet", "./...")).toMatchObject({ code: 0, stdout: "" });
    expect(await go("vet", goModule)).toMatchObject({ code: 0, stdout: "" });
  });
});
