#!/usr/bin/env node
import { Command } from "commander";
import {
  down,
  execInLab,
  freezeNode,
  instanceNames,
  labLayout,
  loadImage,
  startNode,
  status,
  stopNode,
  thawNode,
  type UpOptions,
  up,
  upgrade,
} from "./index.ts";
import { lineProgress } from "./progress.ts";
import { statusText, summary } from "./summary.ts";

const program = new Command("drawbridge-lab")
  .description("A real Kubernetes with Istio, of one node or more, in namespaces of its own on this machine.")
  .showHelpAfterError()
  // So that `exec`'s own options end where its command begins.
  .enablePositionalOptions();

/** Every command is about one instance. */
function command(usage: string, description: string): Command {
  return program.command(usage).description(description).option("--name <name>", "which lab", "default");
}

command("up", "start a lab; what is missing is built first")
  .option("--nodes <count>", "how many nodes it has; 1 where none is said", Number)
  .option("--machine", "one further node that is an emulated machine, with a kernel of its own")
  .option("--previous", "begin with the versions of Kubernetes and Istio before; `upgrade` replaces them")
  .option("--keep", "leave a lab that failed to start as it is, to be looked at")
  .action(async (options: UpOptions) => {
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

command("upgrade <program>", "replace a program of a lab that began with --previous").action(
  (program: string, lab: { name: string }) => upgrade(lab.name, program),
);

const nodeActions = {
  stop: { does: "end all its processes at once, as a machine that loses power", act: stopNode },
  start: { does: "start it again, and wait until it is ready", act: startNode },
  freeze: { does: "stop all its processes where they stand", act: freezeNode },
  thaw: { does: "let them go on", act: thawNode },
};

const node = program
  .command("node")
  .description("do something to a node other than the first; kubectl drains and cordons");
for (const [action, { does, act }] of Object.entries(nodeActions)) {
  node
    .command(`${action} <node>`)
    .description(does)
    .option("--name <name>", "which lab", "default")
    .action((name: string, lab: { name: string }) => act(lab.name, name));
}

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
