/** The client's ssh_config as text, and what goes by it. Host checking is never turned off in anything written here. */
import { targetKinds } from "../ways/sshpod-host.ts";
import { checkedLine, checkedName, checkedPath } from "./checked-line.ts";
import {
  type ClientOs,
  canGo,
  type ProxyProgram,
  type ProxySettings,
  proxyLines,
  sshpodProxyCommand,
  unsafeIn,
} from "./proxy-command.ts";
import type { SshTarget, SshWay } from "./target.ts";

/** How a container is written into an ssh_config. */
export interface SshConfigOptions {
  /** What one types: `ssh <alias>`. @default the container's name */
  readonly alias?: string;
  /** @default "linux" */
  readonly os?: ClientOs;
  /** @default "drawbridge" */
  readonly program?: ProxyProgram;
  /** The only key that is offered. @default the client's own keys */
  readonly identityFile?: string;
  /** @default ~/.ssh/known_hosts and the system's */
  readonly knownHostsFile?: string;
  /** Lets a session use the laptop's ssh-agent. @default false */
  readonly forwardAgent?: boolean;
  /**
   * Further sessions share the first one's connection, for this many seconds after its end too; 0 turns it off.
   * Not on Windows, whose OpenSSH cannot.
   * @default 0
   */
  readonly multiplexSeconds?: number;
  /** Its socket. @default ~/.ssh/drawbridge-%C */
  readonly controlPath?: string;
  /** Files for TLS, and how our program is started. */
  readonly proxy?: ProxySettings;
}

/** The block of one container, and with several ways in one more block for each of them, `<alias>.<way>`. */
export function sshConfigText(target: SshTarget, options: SshConfigOptions = {}): string {
  const { os = "linux", program = "drawbridge" } = options;
  const alias = options.alias ?? target.name;
  const block = (name: string, ways: readonly SshWay[], sharing: readonly string[]) =>
    [
      `Host ${checkedName(name)}`,
      ...hostLines(target),
      ...proxyLines(program, os, ways, options.proxy),
      ...clientLines(options),
      ...sharing,
    ]
      .map(checkedLine)
      .join("\n  ");
  // A connection that is open already may go another way, and ssh tells connections apart by host, port and user alone.
  const alone = ["ControlPath none"];
  const named = waysAlone(target.ways, program).map((way) => block(aliasAlone(alias, way), [way], alone));
  return `${[block(alias, target.ways, sharingLines(options, os)), ...named].join("\n\n")}\n`;
}

/** All that one can type for a container: its alias, and with several ways in one more for each of them. */
export function aliasesOf(alias: string, ways: readonly SshWay[]): string[] {
  return [alias, ...waysAlone(ways, "drawbridge").map((way) => aliasAlone(alias, way))];
}

/**
 * The only dot in a name that nobody chose stands before one of three words of ours, and none of them is a top-level
 * domain: whatever a container is called, no host of the internet is.
 */
const aliasAlone = (alias: string, { way }: SshWay) => `${alias}.${way}`;

/** The ways that have a name of their own, because there are several. */
function waysAlone(ways: readonly SshWay[], program: ProxyProgram): readonly SshWay[] {
  const possible = ways.filter((way) => canGo(program, way));
  return possible.length < 2 ? [] : possible;
}

/**
 * The blocks for all host names of pods. They must not match `dev1.sshpod`, which would get its key as the only one.
 * The command has a block of its own, which `Match` lets look at host and user as they go into it.
 * @param folder where `drawbridge proxy` keeps its key and known hosts, absolute
 */
export function sshpodConfigText(folder: string, os: ClientOs = "linux", proxy: ProxySettings = {}): string {
  const hosts = targetKinds.flatMap((kind) => [`${kind}--*.sshpod`, `*.${kind}--*.sshpod`]);
  const unsafe = [...unsafeIn(os)].map((character) => `!*${character}*`);
  const blocks = [
    [
      `Host ${hosts.join(" ")}`,
      ...clientLines({ identityFile: `${folder}/id_ed25519`, knownHostsFile: `${folder}/known_hosts` }),
    ],
    [
      `Match host "${[...hosts, ...unsafe].join(",")}" user "${["*", ...unsafe].join(",")}"`,
      `ProxyCommand ${sshpodProxyCommand(os, proxy)}`,
    ],
  ];
  // The first lines are constants, and on Windows one of them holds a tab.
  return blocks.map(([first, ...lines]) => `${[first, ...lines.map(checkedLine)].join("\n  ")}\n`).join("\n");
}

function hostLines({ hostName, port, user }: SshTarget): string[] {
  return [`HostName ${checkedName(hostName)}`, `Port ${port}`, `User ${checkedName(user)}`];
}

function clientLines({ identityFile, knownHostsFile, forwardAgent = false }: SshConfigOptions): string[] {
  return [
    "StrictHostKeyChecking yes",
    ...(knownHostsFile === undefined ? [] : [`UserKnownHostsFile ${path(knownHostsFile)}`]),
    ...(identityFile === undefined ? [] : [`IdentityFile ${path(identityFile)}`, "IdentitiesOnly yes"]),
    // Below the idle time-outs of cloud load balancers (AWS NLB 350 s, Azure 240 s) and most NATs.
    "ServerAliveInterval 30",
    "ServerAliveCountMax 6",
    ...(forwardAgent ? ["ForwardAgent yes"] : []),
  ];
}

function sharingLines(
  { multiplexSeconds = 0, controlPath = "~/.ssh/drawbridge-%C" }: SshConfigOptions,
  os: ClientOs,
): string[] {
  if (multiplexSeconds === 0 || os === "windows") return [];
  return ["ControlMaster auto", `ControlPath ${controlPath}`, `ControlPersist ${multiplexSeconds}`];
}

function path(file: string): string {
  const text = checkedPath(file).replaceAll("%", "%%");
  return /[^A-Za-z0-9._~/:\\%+@=-]/.test(text) ? `"${text}"` : text;
}

/** Links that open a container in an editor. They go by the alias, so the ssh_config must be in place. */
interface IdeLinks {
  readonly vscode: string;
  readonly cursor: string;
  /** For `zed <link>` as well as for a browser. */
  readonly zed: string;
  readonly jetbrainsGateway: string;
}

/**
 * @param alias what one types after `ssh`
 * @param folder absolute path of the folder to open
 */
export function ideLinks(alias: string, folder: string, user: string): IdeLinks {
  const path = folder.split("/").map(encodeURIComponent).join("/");
  const jetbrains = new URLSearchParams({
    type: "ssh",
    host: alias,
    port: "22",
    user,
    projectPath: folder,
    deploy: "true",
  });
  return {
    vscode: `vscode://vscode-remote/ssh-remote+${alias}${path}`,
    cursor: `cursor://vscode-remote/ssh-remote+${alias}${path}`,
    zed: `ssh://${alias}${path}`,
    jetbrainsGateway: `jetbrains-gateway://connect#${jetbrains}`,
  };
}
