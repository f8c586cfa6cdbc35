#!/usr/bin/env node
import { Command } from "commander";
import { down, execInLab, instanceNames, labLayout, loadImage, status, up } from "./index.ts";
import { lineProgress } from "./progress.ts";
import { statusText, summary } from "./summary.ts";

const program = new Command("drawbridge-lab")
  .description("A real one-node Kubernetes with Istio, in namespaces of its own on this machine.")
  .showHelpAfterError()
  // So that `exec`'s own options end where its command begins.
  .enablePositionalOptions();

/** Every command is about one instance. */
function command(usage: string, description: string): Command {
  return program.command(usage).description(description).option("--name <name>", "which lab", "default");
}

command("up", "start a lab; what is missing is built first")
  .option("--keep", "leave a lab that failed to start as it is, to be looked at")
  .action(async (options: { name: string; keep?: boolean }) => {
    console.log(summary(await up(options, lineProgress())));
  });

command("down", "end a lab and remove all that it left").action(async ({ name }: { name: string }) => {
  console.log((await down(name)) ? `lab "${name}" is down` : `lab "${name}" was not running`);
});

command("status", "whether a lab is ready, and what runs in it").action(
  async ({ name }: { name: string }) => {
    const found = await status(name);
    console.log(statusText(found));
    const others = (await instanceNames()).filter((other) => other !== name);
    if (others.length > 0) console.log(`other labs: ${others.join(", ")}`);
    process.exitCode = found.phase === "ready" ? 0 : 1;
  },
);

command("kubeconfig", "print the path of the kubeconfig file; use it by way of exec").action(
  ({ name }: { name: string }) => console.log(labLayout(name).kubeconfig),
);

command("load <tar>", "load an image archive as `docker save` writes it").action(
  (tar: string, { name }: { name: string }) => loadImage(name, tar),
);

command("exec <command...>", "run a command in the lab's network; put -- before it")
  .passThroughOptions()
  .action(async (words: string[], { name }: { name: string }) => {
    process.exitCode = await execInLab(name, words);
  });

command("shell", "a shell in the lab's network").action(async ({ name }: { name: string }) => {
  process.exitCode = await execInLab(name, [process.env.SHELL ?? "/bin/sh"]);
});

try {
  await program.parseAsync();
} catch (error) {
  console.error(`drawbridge-lab: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
