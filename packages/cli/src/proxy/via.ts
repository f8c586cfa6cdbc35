/** The `--via` option: where a CONNECT port is, or which pod is entered over the Kubernetes API. */
import { parseSshpodHost, type SshpodHost, sshpodSuffix } from "@drawbridge-iac/manifests/sshpod-host";
import { CliError, ExitCode } from "../cli-error.ts";

/** An HTTP CONNECT port: of a gateway, or of an frp server. */
export interface ConnectVia {
  readonly kind: "connect";
  readonly text: string;
  readonly secure: boolean;
  readonly address: string;
  readonly port: number;
  /** The name to ask for. @default the host that ssh was given */
  readonly name?: string;
}

/** A pod, over the Kubernetes API. */
export interface SshpodVia {
  readonly kind: "sshpod";
  readonly text: string;
  readonly target: SshpodHost;
}

export type Via = ConnectVia | SshpodVia;

const connectUrl = /^(https?):\/\/(\[[0-9a-fA-F:.]+\]|[^/:@\s]+)(?::(\d{1,5}))?(?:\/([A-Za-z0-9.-]*))?$/;

/** Reads `http://host:port`, `https://host:port`, `http://host:port/name` or `pod--x.namespace--y.sshpod`. */
export function parseVia(text: string): Via {
  if (text.toLowerCase().endsWith(sshpodSuffix)) return { kind: "sshpod", text, target: readHost(text) };
  const [, scheme, host, digits, name] = connectUrl.exec(text) ?? [];
  const secure = scheme === "https";
  const port = Number(digits ?? (secure ? 443 : 80));
  if (host === undefined || port < 1 || port > 65535) {
    throw new CliError(
      `${JSON.stringify(text)} is not a way in; write it like http://ssh.example.com:80, https://ssh.example.com:443 or pod--NAME.namespace--NAMESPACE${sshpodSuffix}`,
      ExitCode.usage,
    );
  }
  const address = host.replace(/^\[|\]$/g, "");
  return { kind: "connect", text, secure, address, port, ...(name ? { name } : {}) };
}

function readHost(host: string): SshpodHost {
  try {
    return parseSshpodHost(host);
  } catch (error) {
    throw new CliError((error as Error).message, ExitCode.usage);
  }
}
