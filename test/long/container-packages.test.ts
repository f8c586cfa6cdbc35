/** docs/developers.md, "Installing packages": each row, done in the image as someone would who is not root. */
import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ensureImages, lineProgress, loadImage } from "@drawbridge-iac/lab";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureGo } from "../../packages/lab/src/tools/go.ts";
import { typed } from "../../scripts/lib/lab/lab.ts";
import { ContainerStack } from "../support/stacks/containers.ts";
import { wheel, writeFiles, writeGreeters } from "./greeters.fixture.ts";

/** The rows by their first cell, each with the code in it. */
async function rowsOfPage(): Promise<Record<string, string[]>> {
  const page = await readFile("docs/developers.md", "utf8");
  const [, part = ""] = /^## Installing packages\n([\s\S]*?)^## /m.exec(page) ?? [];
  const rows = [...part.matchAll(/^\| ([^|]+) \| (.+) \|$/gm)];
  return Object.fromEntries(
    rows.map(([, name = "", text = ""]) => [
      name.trim(),
      [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code),
    ]),
  );
}
const rows = await rowsOfPage();

let stack: ContainerStack;
/** What there is to install, since no registry is reached from a lab: it says hello. */
let packages: string;

beforeAll(async () => {
  const { extended } = await ensureImages(["extended"], lineProgress());
  await loadImage(process.env.DRAWBRIDGE_LAB ?? "", extended.tar);
  stack = await ContainerStack.create("team-packages", "gw-packages");
  const offline = { npm_config_offline: "true", PIP_NO_INDEX: "1", GOPROXY: "off", GOTOOLCHAIN: "local" };
  const resources = { requests: { cpu: "20m" }, memory: "1Gi" };
  await stack.up({
    box: { env: offline, resources, home: { size: "2Gi" } },
    extended: { image: extended.ref },
  });
  await stack.output("box", "true");
  packages = join(stack.laptop.folder, "packages");
  await writePackages();
  await copy(join(packages, "."), "packages");
});
afterAll(() => stack.close());

async function writePackages(): Promise<void> {
  await writeGreeters(packages);
  await writeFiles(packages, {
    "go/go.mod": "module example.com/greet-go\n\ngo 1.21\n",
    "go/main.go": 'package main\n\nfunc main() { println("hello from Go") }\n',
    "greet-binary": "#!/bin/sh\necho hello from a binary\n",
  });
  await chmod(join(packages, "greet-binary"), 0o755);
  const go = await ensureGo("1.21", lineProgress());
  const root = (await typed(`${go} env GOROOT`)).trim();
  await typed(`tar -chzf go.tar.gz --exclude=./go/test -C "$(dirname ${root})" go`, { cwd: packages });
}

const copy = async (from: string, to: string) => {
  const { code, stderr } = await stack.laptop.scp(["-qr", from, `box:${to}`], 600);
  expect([code, stderr]).toEqual([0, ""]);
};
const inside = (command: string) => stack.output("box", command);
/** What a terminal shows that is opened now. */
const inTerminal = async (command: string) => {
  const { stdout } = await stack.laptop.ssh(["-tt", "box"], { input: `${command}\nexit\n` });
  return stdout;
};

const checks: Record<string, (code: readonly string[]) => Promise<void>> = {
  Python: async ([venv = "", install = ""]) => {
    expect(await inside(venv)).toBe("");
    expect(await inside(install.replace("…", `packages/${wheel}`))).toContain(
      "Successfully installed greeter-1.0",
    );
    expect(await inside("~/venv/bin/greet-python")).toBe("hello from Python\n");
  },
  Node: async ([prefix = "", install = ""]) => {
    expect(await inside(prefix)).toBe("");
    expect(await inside(install.replace("…", "./packages/greeter.tgz"))).toContain("added 1 package");
    expect(await inTerminal("greet-node")).toContain("hello from Node\r\n");
  },
  Go: async ([unpack = "", install = "", folder = ""]) => {
    await inside("mkdir -p ~/.local && mv packages/go.tar.gz .");
    expect(await inside(unpack)).toBe("");
    expect(await inside(`cd packages/go && ${install.replace("…", ".")} 2>&1`)).toBe("");
    expect(await inside(`${folder}/greet-go 2>&1`)).toBe("hello from Go\n");
  },
  "a binary": async ([folder = ""]) => {
    await inside(`mkdir -p ${folder} && cp packages/greet-binary ${folder}`);
    expect(await inTerminal("greet-binary")).toContain("hello from a binary\r\n");
  },
  // With root: root.test.ts.
  "a Debian package": async ([install = ""]) => {
    expect((await stack.ssh("extended", "nvim --version")).stdout).toMatch(/^NVIM v/);
    expect(await inside("command -v nvim")).toMatch(/^code /);
    expect(await stack.ssh("box", `${install} -y neovim`)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^sudo: /),
    });
  },
};

describe("Installing packages", () => {
  it("has a check for each of its rows", () => {
    expect(Object.keys(checks)).toEqual(Object.keys(rows));
  });

  it.each(Object.entries(checks))("%s", async (name, check) => {
    await check(rows[name] ?? []);
  });

  it("lasts", async () => {
    await stack.restart("box");
    const programs = "~/venv/bin/greet-python; greet-node; ~/go/bin/greet-go 2>&1; greet-binary";
    expect(await inside(`PATH=~/.local/bin:$PATH; ${programs}`)).toBe(
      "hello from Python\nhello from Node\nhello from Go\nhello from a binary\n",
    );
  });
});
