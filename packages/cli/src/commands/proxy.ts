/** `drawbridge proxy`: the ProxyCommand of ssh. Imports little, since it runs at the start of every session. */
import { parseArgs } from "node:util";
import { parseSshpodHost, type SshpodHost, sshpodSuffix } from "@drawbridge-iac/manifests/sshpod-host";
import { CliError, ExitCode } from "../cli-error.ts";
import { readGateway } from "../proxy/gateway.ts";
import { joinStandardStreams } from "../proxy/join.ts";
import { stateFolder } from "../state-folder.ts";

export const proxyHelp = `Usage: drawbridge proxy --host HOST --port PORT [--user USER] [--gateway URL] [options]

Joins standard input and output with the sshd of a container. Write it into ssh_config:

  Host *.dev.example.com
    ProxyCommand drawbridge proxy --gateway https://ssh.example.com --host %h --port %p
  Host *.sshpod
    ProxyCommand drawbridge proxy --host %h --user %r --port %p

Options:
  --host HOST        the container: a name that the gateway knows, or one that ends in .sshpod
  --port PORT        the port that ssh was given (default: 22)
  --user USER        the user who logs in; needed for .sshpod
  --gateway URL      http://host:port or https://host:port of a gateway or an frp server (ports: 80, 443)
  --server-name NAME the name on the gateway's certificate (default: the host in the URL)
  --ca FILE          the authority that signed it (default: the system's)
  --cert FILE        client certificate, for a gateway that asks for one
  --key FILE         its private key
  --verbose          say on standard error what is done
  -h, --help         this text
`;

export async function proxy(argv: readonly string[]): Promise<void> {
  const options = readOptions(argv);
  if (options.help) {
    process.stdout.write(proxyHelp);
    return;
  }
  const host = required(options.host, "--host", "the host name, as in --host %h");
  const port = readPort(options.port ?? "22");
  const tell = options.verbose
    ? (step: string) => process.stderr.write(`drawbridge: ${Math.round(performance.now())} ms: ${step}\n`)
    : () => undefined;
  if (!host.toLowerCase().endsWith(sshpodSuffix)) {
    const url = required(
      options.gateway,
      "--gateway",
      `the gateway of ${host}, or a host name that ends in ${sshpodSuffix}`,
    );
    const { openTunnel } = await import("../proxy/dial.ts");
    const gateway = await readGateway({ ...options, gateway: url });
    await joinStandardStreams(await openTunnel(gateway, host, port));
    return;
  }
  const user = required(options.user, "--user", "the user, as in --user %r");
  const { connectSshpod } = await import("../sshpod/connect.ts");
  const target = readHost(host);
  await joinStandardStreams(
    await connectSshpod({ target, host, port, user, stateFolder: stateFolder(), tell }),
  );
}

function readHost(host: string): SshpodHost {
  try {
    return parseSshpodHost(host);
  } catch (error) {
    throw new CliError((error as Error).message, ExitCode.usage);
  }
}

function readOptions(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        host: { type: "string" },
        port: { type: "string" },
        user: { type: "string" },
        gateway: { type: "string" },
        "server-name": { type: "string" },
        ca: { type: "string" },
        cert: { type: "string" },
        key: { type: "string" },
        verbose: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    }).values;
  } catch (error) {
    throw new CliError(`${(error as Error).message}; see: drawbridge proxy --help`, ExitCode.usage);
  }
}

function required(value: string | undefined, option: string, what: string): string {
  if (value === undefined || value === "")
    throw new CliError(`${option} is missing; give ${what}`, ExitCode.usage);
  return value;
}

function readPort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65535) return port;
  throw new CliError(
    `--port ${JSON.stringify(text)} is not a port; give a whole number from 1 to 65535`,
    ExitCode.usage,
  );
}
