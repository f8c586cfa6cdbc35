/** Editors as they come in: VS Code's and JetBrains' connections, and Neovim itself in an image that extends ours. */
import { spawn } from "node:child_process";
import { ensureImages, lineProgress, loadImage } from "@drawbridge-iac/lab";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../scripts/lib/lab/lab.ts";
import { ContainerStack } from "../support/stacks/containers.ts";
import { workAsEditor } from "./editor.fixture.ts";

let stack: ContainerStack;
beforeAll(async () => {
  const { extended } = await ensureImages(["extended"], lineProgress());
  await loadImage(process.env.DRAWBRIDGE_LAB ?? "", extended.tar);
  stack = await ContainerStack.create("team-ide", "gw-ide");
  await stack.up({ box: { env: { FLAVOUR: "declared" } }, editor: { image: extended.ref } });
  await stack.output("box", "true");
  await stack.output("editor", "true");
});
afterAll(() => stack.close());

it("uploads and starts a server, works over it with many streams, and finds it again after a lost connection", () =>
  workAsEditor(stack.laptop, "box", "declared", 21080));

it("edits a file in Neovim", async () => {
  const child = spawn("ssh", ["-F", stack.laptop.configFile, "-tt", "editor", "$EDITOR --clean notes.txt"], {
    env: { ...process.env, ...stack.laptop.env, TERM: "xterm-256color" },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const code = new Promise<number | null>((resolve) => child.once("close", resolve));
  let screen = "";
  child.stdout.on("data", (chunk: Buffer) => {
    screen += chunk.toString();
  });
  await eventually("Neovim's screen", async () => screen.includes("notes.txt"), 30);
  expect(screen).toContain("\u001b[?1049h"); // the whole terminal is its own
  child.stdin.write("ihello from Neovim\u001b:wq\r");
  expect(await code).toBe(0);
  expect(screen).toContain("\u001b[?1049l");
  expect(await stack.output("editor", "cat notes.txt")).toBe("hello from Neovim\n");
});
