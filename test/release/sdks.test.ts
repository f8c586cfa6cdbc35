/** The SDKs for Python and Go, installed where nothing of this repository is: what their compilers hold of programs. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../packages/drawbridge/src/kit/temporary-folder.fixture.ts";
import { goWith, programFiles, programs, pythonWith, sdksIn } from "../../scripts/lib/engine/sdks.ts";
import { run } from "../../scripts/lib/lab/lab.ts";
import { pageBlock } from "../../scripts/lib/pages/page-blocks.ts";
import { goModule } from "../../scripts/release/sdks.ts";

const folder = temporaryFolder();
let sdks: string;

beforeAll(async () => {
  sdks = await sdksIn(folder);
});

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

  it("has types that hold the class of docs/team.md", async () => {
    const file = join(folder, "department.py");
    const around = "config: pulumi.Config\ngateway: drawbridge.SshGateway\n";
    await writeFile(file, `${await pageBlock("docs/team.md", "python", "class Department")}\n\n${around}`);
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
    const said = [...stdout.matchAll(/:(\d+): error: (.*)$/gm)].map(([, line, text]) => `${line} ${text}`);
    expect({ code, said }).toEqual({
      code: 1,
      said: [
        '2 No overload variant of "StorageAccessor" matches argument types "str", "str", "str"  [call-overload]',
        '3 Missing named argument "domain" for "SshGatewayRefArgs"  [call-arg]',
        '4 Argument "port" to "DevContainerSshArgs" has incompatible type "str"; expected "int | Awaitable[int | None] | Output[int | None] | None"  [arg-type]',
        '5 No overload variant of "DevContainer" matches argument types "str", "str", "str", "dict[str, str]"  [call-overload]',
      ],
    });
  });
});

describe("for Go: the archive as a proxy's module", () => {
  it("compiles, and holds a program to its types", async () => {
    const files = await programFiles("operate.go", "team.go");
    const { go, write } = await goWith(sdks, join(folder, "go"), files);
    expect(await go("vet", "./...")).toMatchObject({ code: 0, stdout: "" });
    expect(await go("vet", goModule)).toMatchObject({ code: 0, stdout: "" });

    // Wrong names and types are the compiler's to find.
    const wrong = [
      "drawbridge.StorageAccessorArgs{Sizes: nil}",
      'drawbridge.DevContainerSshArgs{Port: "22"}',
    ];
    const declared = wrong.map((value) => `var _ = ${value}\n`).join("");
    await write("wrong.go", `package main\n\nimport drawbridge "DRAWBRIDGE_MODULE"\n\n${declared}`);
    const { code, stderr } = await go("build", ".");
    const said = [...stderr.matchAll(/wrong\.go:(\d+):\d+: (.*)$/gm)].map(
      ([, line, text]) => `${line} ${text}`,
    );
    expect({ code, said }).toEqual({
      code: 1,
      said: [
        "5 unknown field Sizes in struct literal of type drawbridge.StorageAccessorArgs",
        '6 cannot use "22" (constant of type string) as pulumi.IntPtrInput value in struct literal: string does not implement pulumi.IntPtrInput (missing method ElementType)',
      ],
    });
  });
});
