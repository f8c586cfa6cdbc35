/** The commands other than `proxy`, with their options and help. */
import { Command } from "commander";
import type { DoctorFlags } from "./commands/doctor.ts";
import type { ImagesFlags } from "./commands/images.ts";
import type { ListFlags } from "./commands/list.ts";
import type { OpenFlags } from "./commands/open.ts";
import type { SshConfigFlags } from "./commands/ssh-config.ts";
import type { ValidateFlags } from "./commands/validate.ts";
import { completion } from "./completion.ts";
import { ExitCode } from "./faults.ts";
import { version } from "./self.ts";

const examples = `
Begin with:
  drawbridge ssh-config --stack team-a   read the stack's outputs, write ~/.ssh/drawbridge/config
  ssh dev1                               or: drawbridge connect dev1
  drawbridge doctor dev1                 when that does not work
  ssh app@pod--web-0.namespace--team-a.sshpod   any pod that you may exec into
`;

/** @param finish gets the exit code when a command is done */
export function program(finish: (code: number) => void): Command {
  const root = new Command("drawbridge")
    .description("SSH into development containers on Kubernetes.")
    .version(version, "-V, --version", "print the version")
    .addHelpText("after", examples)
    .showHelpAfterError("(see: drawbridge --help)")
    .configureOutput({ getErrHasColors: () => false, getOutHasColors: () => false })
    .exitOverride((error) => finish(error.exitCode === 0 ? 0 : ExitCode.usage));
  const print = (text: string) => void process.stdout.write(text);

  root
    .command("ssh-config")
    .description(
      "write the ssh_config of a stack's containers and include it in ~/.ssh/config; without options, read again what was read before",
    )
    .option("--stack <name>", "the stack whose outputs are read (default: the selected one)")
    .option("--cwd <folder>", "where the Pulumi program is")
    .option("--from <place>", "file or https address of `pulumi stack output --json`; - is standard input")
    .option("--sshpod", "only the block for *.sshpod: pods over the Kubernetes API, with no stack at all")
    .option(
      "--context <names...>",
      "with --sshpod: the contexts to which names in *.sshpod may lead (default: this one)",
    )
    .option("--prefix <text>", "put before every name, as in team-a-dev1")
    .option("--identity <file>", "the only private key to offer")
    .option("--ca <file>", "authority of the gateway's certificate (default: the system's)")
    .option("--cert <file>", "client certificate, for a gateway that asks for one")
    .option("--key <file>", "its private key")
    .option("--forward-agent", "let sessions use this computer's ssh-agent")
    .option("--multiplex <seconds>", "share connections, kept open this long after the last session")
    .option("--remove", "take everything away again; with --stack, --cwd or --from, what came from there")
    .action(async (flags: SshConfigFlags) => {
      print(await (await import("./commands/ssh-config.ts")).sshConfig(flags));
      finish(0);
    });

  root
    .command("list")
    .description("the containers and storages of the last ssh-config, and the state of each")
    .option("--names", "only the names")
    .option("--links", "links that open each in an editor")
    .option(
      "--people <files...>",
      "instead: the stacks of the cluster that still have to be brought up for these stack files' people",
    )
    .option(
      "--denied <name>",
      "instead: what egress gateway and frp refused a container lately, by its name or as namespace/name",
    )
    .option("--json", "as JSON")
    .action(async (flags: ListFlags) => {
      print(await (await import("./commands/list.ts")).list(flags));
      finish(0);
    });

  root
    .command("connect <name> [words...]")
    .description("log in, or run a command: drawbridge connect dev1 -- uname -a")
    .action(async (name: string, words: string[]) => {
      finish(await (await import("./commands/connect.ts")).connect(name, words));
    });

  root
    .command("wake <name>")
    .description("wake a container that sleeps, and wait for it")
    .action(async (name: string) => {
      print(await (await import("./commands/idle.ts")).wake(name));
      finish(0);
    });

  root
    .command("sleep <name>")
    .description("let a container sleep at once, even with sessions open")
    .action(async (name: string) => {
      finish(await (await import("./commands/idle.ts")).sleep(name));
    });

  root
    .command("hold <name> [words...]")
    .description(
      "keep a container awake: for 8h (90m, 2d), or while a command runs in it: hold dev1 -- make all",
    )
    .option("--release", "release the hold")
    .action(async (name: string, words: string[], flags: { release?: boolean }) => {
      finish(await (await import("./commands/idle.ts")).hold(name, words, flags.release));
    });

  root
    .command("listen")
    .description(
      "a loopback port for each container, for programs that know no ProxyCommand; runs until stopped",
    )
    .option("--print", "only say the ports")
    .action(async (flags: { print?: boolean }) => {
      const { listen, ports } = await import("./commands/listen.ts");
      if (flags.print) print(await ports());
      else await listen(print);
      finish(0);
    });

  root
    .command("images")
    .description("the images that a cluster pulls; with a registry, beside each its name there")
    .option("--registry <place>", "where copies of them are, as registry.example.com/team")
    .action(async (flags: ImagesFlags) => {
      print(`${(await import("./commands/images.ts")).images(flags)}\n`);
      finish(0);
    });

  root
    .command("doctor [name]")
    .description(
      "try every step of the way to a container, or to all, and say what is wrong; exit code 1 if one has no way open",
    )
    .option("--way <way>", "only this one: gateway, frp or sshpod")
    .option("--root", "whether the cluster of the current context can give containers root")
    .option("--gateways", "whether its gateways get only the Services that their routes name")
    .option("--teams", "whether the namespaces of teams are marked as such")
    .option(
      "--network",
      "whether its network enforces NetworkPolicies, with --root also under another pod's address; tried with pods in a namespace that is deleted afterwards",
    )
    .option("--image <image>", "what these pods run, with sh and python3 (default: the image devcontainer)")
    .option("--json", "as JSON")
    .action(async (name: string | undefined, flags: DoctorFlags) => {
      const { doctor } = await import("./commands/doctor.ts");
      finish((await doctor(name, flags, (line) => print(`${line}\n`))) ? 0 : ExitCode.failed);
    });

  root
    .command("open <name>")
    .description("open a container's folder in an editor (default: the first of them that is on PATH)")
    .option("--vscode", "Visual Studio Code")
    .option("--cursor", "Cursor")
    .option("--zed", "Zed")
    .option("--jetbrains", "JetBrains Gateway")
    .option("--print", "only say what would be started")
    .action(async (name: string, flags: OpenFlags) => {
      print(await (await import("./commands/open.ts")).open(name, flags));
      finish(0);
    });

  root
    .command("validate <file...>")
    .description(
      "check stack files (Pulumi.<stack>.yaml) without Pulumi and secrets; exit code 1 if one is at fault",
    )
    .option("--json", "as JSON")
    .action(async (files: string[], flags: ValidateFlags) => {
      const { validate } = await import("./commands/validate.ts");
      finish((await validate(files, flags, print)) ? 0 : ExitCode.failed);
    });

  root
    .command("proxy")
    .description("what ssh starts to reach a container (its ProxyCommand); see: drawbridge proxy --help")
    .helpOption(false);

  root
    .command("completion <shell>")
    .description("completion script for bash, zsh, fish or PowerShell")
    .action((shell: string) => {
      print(
        completion(
          shell,
          root.commands.map((command) => ({
            name: command.name(),
            options: command.options.flatMap(({ long }) => long ?? []),
          })),
        ),
      );
      finish(0);
    });
  return root;
}
