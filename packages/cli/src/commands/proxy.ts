/**
 * `drawbridge proxy`: the ProxyCommand of ssh. Imports little, since it runs at the start of every session.
 * proxy/first-way.ts opens a way, join.ts joins it, past-activator.ts gets past a container's sleep.
 */
import { parseArgs } from "node:util";
import { sshpodSuffix } from "@drawbridge-iac/drawbridge/src/host/ways/sshpod-host";
import { CliError, ExitCode } from "../faults.ts";
import { firstWay } from "../proxy/first-way.ts";
import { joinStandardStreams } from "../proxy/join.ts";
import { parseVia, readPort } from "../proxy/via.ts";
import { visible } from "../terminal.ts";

const proxyHelp = `Usage: drawbridge proxy --host HOST --port PORT [--user USER] [--via WAY]... [options]

Joins standard input and output with the sshd of a container. drawbridge ssh-config writes it into your ssh_config.
By hand, on Linux and macOS; a shell reads the command, so no name with a quote may match:

  Match host "*.dev.example.com,!*'*"
    ProxyCommand drawbridge proxy --via https://ssh.example.com --host '%h' --port %p
  Match host "pod--*.sshpod,!*'*" user "*,!*'*"
    ProxyCommand drawbridge proxy --host '%h' --user '%r' --port %p

Options:
  --host HOST        the container: a name that the gateway knows, or one that ends in ${sshpodSuffix}
  --port PORT        the port that ssh was given (default: 22)
  --user USER        the user who logs in; needed for ${sshpodSuffix}
  --via WAY          how to get there; several are tried in their order:
                       http://host:port, https://host:port   a gateway (ports: 80, 443)
                       http(s)://host:port/NAME              an frp server, which knows the container as NAME
                       pod--NAME.namespace--NAMESPACE${sshpodSuffix}  the Kubernetes API
                     (default: HOST itself, which must then end in ${sshpodSuffix})
  --own-sshd         the pod has an sshd of its own on PORT, so none is copied into it
  --server-name NAME the name on the gateway's certificate (default, and for frp always: the host of WAY)
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
  const vias = (options.via ?? [defaultVia(host)]).map(parseVia);
  const say = (text: string) => void process.stderr.write(`drawbridge: ${visible(text)}\n`);
  const way = await firstWay(vias, {
    host,
    port: readPort(options.port ?? "22"),
    user: options.user,
    ownSshd: options["own-sshd"] ?? false,
    tls: options,
    tell: options.verbose ? (step) => say(`${Math.round(performance.now())} ms: ${step}`) : () => undefined,
    warn: say,
  });
  await joinStandardStreams(way, say);
}

function readOptions(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        host: { type: "string" },
        port: { type: "string" },
        user: { type: "string" },
        via: { type: "string", multiple: true },
        "own-sshd": { type: "boolean" },
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

function defaultVia(host: string): string {
  if (host.toLowerCase().endsWith(sshpodSuffix)) return host;
  throw new CliError(
    `--via is missing; say how to get to ${JSON.stringify(host)}, or give a host name that ends in ${sshpodSuffix}`,
    ExitCode.usage,
  );
}

function required(value: string | undefined, option: string, what: string): string {
  if (value === undefined || value === "") {
    throw new CliError(`${option} is missing; give ${what}`, ExitCode.usage);
  }
  return value;
}
