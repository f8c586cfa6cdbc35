/**
 * What a platform engineer has at hand when a runbook is needed: the stacks that ship, brought up with the real CLI, a
 * shell for the page's lines, and a laptop of someone who works in a container meanwhile.
 */
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { type InstalledCli, installCli } from "../../../scripts/lib/clients/cli.ts";
import {
  eventually,
  getObject,
  kubectl,
  Laptop,
  type Outcome,
  shell,
  typed,
} from "../../../scripts/lib/lab/lab.ts";
import { pageBlock } from "../../../scripts/lib/pages/page-blocks.ts";
import {
  labPlatform,
  labTeam,
  openStorage,
  ProjectCopy,
  setPaths,
} from "../../../scripts/lib/stacks/stacks.ts";
import { pulumiRelease } from "../../support/engine/pulumi-release.ts";

/** Namespaces of what the shipped files declare, by the names that the page uses. */
export const platformNamespaces = ["ssh-ingress", "frp", "files"] as const;
const namespaces = [...platformNamespaces, "team-a"];

type Paths = Readonly<Record<string, string>>;

/** Limits that one laptop, which logs in as often as many would, does not reach; limits have tests of their own. */
function manyLogins(way: string): Paths {
  const limits = ["perClient", "perClientAndContainer"].flatMap((limit) =>
    ["connectionsPerMinute", "burst"].map((field) => [
      `${way}.connectionLimits.${limit}.${field}`,
      "1000000",
    ]),
  );
  return Object.fromEntries(limits);
}

export class Runbook {
  readonly #page: string;
  readonly project: ProjectCopy;
  readonly laptop: Laptop;
  readonly cli: InstalledCli;
  readonly env: Record<string, string>;

  private constructor(
    page: string,
    project: ProjectCopy,
    laptop: Laptop,
    cli: InstalledCli,
    env: Readonly<Record<string, string>>,
  ) {
    this.#page = page;
    this.project = project;
    this.laptop = laptop;
    this.cli = cli;
    this.env = { ...env };
  }

  /**
   * For lines of this page. Platform and team-a are up, and dev1 lets the laptop in. The paths are below `drawbridge:`
   * in the two files.
   */
  static async create(
    page: string,
    { platform = {}, team = {} }: { platform?: Paths; team?: Paths } = {},
  ): Promise<Runbook> {
    for (const name of namespaces)
      await kubectl(["wait", "--for=delete", `namespace/${name}`, "--timeout=120s"]);
    const project = await ProjectCopy.create({ cluster: true });
    const [laptop, cli] = [await Laptop.create("runbook"), await installCli()];
    const book = new Runbook(page, project, laptop, cli, await environment(project, laptop, cli));
    const stacks = { platform: await project.open("platform"), team: await project.open("team-a") };
    for (const stack of Object.values(stacks)) await project.setSecrets(stack);
    await setPaths(stacks.platform, {
      ...labPlatform,
      "platform.gateway.drainSeconds": "5",
      ...manyLogins("platform.gateway"),
      ...manyLogins("platform.frp"),
      ...platform,
    });
    // The shipped file spells these out; here they come from the platform's stack.
    for (const key of ["gateway", "frp", "storageProxy"])
      await stacks.team.removeConfig(`drawbridge:team.${key}`, true);
    await setPaths(stacks.team, {
      ...labTeam,
      "team.platform": "platform",
      "team.containers.dev1.authorizedKeys[0]": laptop.publicKey,
      ...team,
    });
    await openStorage(stacks.team);
    await book.up("platform");
    await book.up("team-a");
    await book.login("dev1", "true");
    return book;
  }

  /** Runs lines as someone types them, in the project's folder. */
  shell(lines: string, env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
    return shell(lines, this.#place(env));
  }

  /** The same, but throws what was printed unless every line succeeds. */
  async type(lines: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
    return typed(lines, this.#place(env));
  }

  #place(env: Readonly<Record<string, string>>) {
    return { cwd: this.project.folder, env: { ...this.env, ...env }, timeoutSeconds: 600 };
  }

  /** The page's block that has `mark` in it. */
  pageBlock(mark: string): Promise<string> {
    return pageBlock(this.#page, "sh", mark);
  }

  /** Runs it. */
  async follow(mark: string): Promise<string> {
    return this.type(await this.pageBlock(mark));
  }

  /** Brings a stack up, and configures the laptop anew if it is the team's. */
  async up(stack: "platform" | "team-a"): Promise<string> {
    const printed = await this.type(`pulumi up --stack ${stack}`);
    if (stack === "team-a") await this.tell();
    return printed;
  }

  /** Configures the laptop by the outputs that the team's stack has now. */
  async tell(laptop = this.laptop): Promise<void> {
    const output = (name: string) => this.type(`pulumi stack output --stack team-a ${name}`);
    await laptop.configure(await output("sshConfig"), await output("knownHosts"));
  }

  /** Sets plain values in a stack's file. */
  async set(stack: "platform" | "team-a", paths: Paths): Promise<void> {
    for (const [path, value] of Object.entries(paths))
      await this.type(`pulumi config set --stack ${stack} --path 'drawbridge:${path}' '${value}'`);
  }

  /** What a command prints in a container, once the way is open. */
  async login(host: string, command: string): Promise<string> {
    return eventually(
      `a login to ${host}`,
      async () => {
        const { code, stdout, stderr } = await this.laptop.ssh([host, command]);
        if (code !== 0) throw new Error(stderr.trim());
        return stdout;
      },
      120,
    );
  }

  /** The Kubernetes objects that a stack's state has, as `Kind namespace/name`, sorted. */
  async stateObjects(stack: "platform" | "team-a"): Promise<string[]> {
    const { deployment } = JSON.parse(await this.type(`pulumi stack export --stack ${stack}`)) as {
      deployment: { resources?: { type: string; id?: string }[] };
    };
    return (deployment.resources ?? [])
      .filter(({ type, id }) => type.startsWith("kubernetes:") && id !== undefined)
      .map(({ type, id }) => `${type.split(":").at(-1)} ${id}`)
      .sort();
  }

  async close(): Promise<void> {
    for (const stack of ["team-a", "platform"]) await this.shell(`pulumi destroy --stack ${stack}`);
    await kubectl(["delete", "namespace", ...namespaces, "--ignore-not-found", "--wait=false"]);
    await Promise.all([this.project.remove(), this.laptop.remove(), this.cli.remove()]);
  }
}

/** The shell's environment. Writes its ssh, scp and Pulumi, and the stacks' program, into the project's folder. */
async function environment(
  project: ProjectCopy,
  laptop: Laptop,
  cli: InstalledCli,
): Promise<Record<string, string>> {
  const [programs, release] = [join(project.folder, "programs"), join(project.folder, "pulumi")];
  await mkdir(programs);
  const main = `export { default } from ${JSON.stringify(resolve("stacks/main.ts"))};\n`;
  await writeFile(join(project.folder, "stacks/main.ts"), main);
  await writeFile(join(project.folder, "package.json"), JSON.stringify({ type: "module" }));
  await symlink(resolve("node_modules"), join(project.folder, "node_modules"));
  // ssh takes the home folder from the account and not from HOME, so it has to be given the laptop's file.
  for (const name of ["ssh", "scp"])
    await writeFile(join(programs, name), `#!/bin/sh\nexec /usr/bin/${name} -F ${laptop.configFile} "$@"\n`, {
      mode: 0o755,
    });
  return {
    ...(await pulumiRelease(release)),
    PATH: [programs, release, cli.env.PATH].join(delimiter),
    HOME: laptop.folder,
    DRAWBRIDGE_HOME: join(laptop.folder, "state"),
    NODE_OPTIONS: process.env.NODE_OPTIONS ?? "",
    PULUMI_BACKEND_URL: `file://${project.backend}`,
    PULUMI_CONFIG_PASSPHRASE: "only for tests",
    // Nobody is there to say yes.
    PULUMI_SKIP_CONFIRMATIONS: "true",
  };
}

interface Listed {
  readonly kind: string;
  readonly metadata: {
    readonly namespace?: string;
    readonly name: string;
    readonly uid: string;
    readonly generation?: number;
  };
  readonly data?: unknown;
  readonly status?: { readonly containerStatuses?: readonly { readonly restartCount: number }[] };
}

const kinds = [
  "pods,statefulsets,deployments,jobs,services,secrets,configmaps,persistentvolumeclaims,networkpolicies",
  "poddisruptionbudgets,roles,rolebindings,resourcequotas,limitranges",
  "virtualservices.networking.istio.io,gateways.networking.istio.io,envoyfilters.networking.istio.io",
].join(",");

/** Every object of these namespaces with what a replacement, a restart or an edit of it would change. */
export async function objectsIn(all: readonly string[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const namespace of all) {
    const { items } = await getObject<{ items: Listed[] }>(["-n", namespace, kinds]);
    for (const { kind, metadata, data, status } of items) {
      const restarts = status?.containerStatuses?.map(({ restartCount }) => restartCount).join();
      const rest = [metadata.uid, metadata.generation, restarts, data && JSON.stringify(data)];
      found[`${kind} ${namespace}/${metadata.name}`] = rest.filter((part) => part !== undefined).join(" ");
    }
  }
  return found;
}
