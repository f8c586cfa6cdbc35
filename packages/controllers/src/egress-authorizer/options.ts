import { parseArgs } from "node:util";
import { parsePort, parseWhole } from "../numbers.ts";

/** What the program is told when it starts. */
export interface Options {
  /** Path of the socket on which Envoy asks. */
  readonly socket: string;
  /** Port for health and metrics, on every address. */
  readonly metricsPort: number;
  /** Folder with the service account's token and CA. */
  readonly apiAccess: string;
  /** Networks that are refused besides private ones. */
  readonly deny: readonly string[];
  /** Name servers; none for the pod's own. */
  readonly resolvers: readonly string[];
  /** How many connections one container may have open. */
  readonly tunnelsPerContainer: number;
}

export const usage = `drawbridge-egress-authorizer: tells Envoy which container may reach which host, and by which address.

  --socket PATH        where Envoy asks, by gRPC
  --api-access FOLDER  folder with token and ca.crt of a service account, which may read the containers' grants
  --deny CIDR          a network that is refused besides private ones; may be repeated
  --resolver ADDRESS   a name server, in place of the pod's own; may be repeated
  --tunnels-per-container N  how many connections one container may have open (1000)
  --metrics-port N     port for /healthz and /metrics (7512)
`;

/** Reads the command line; throws with one sentence that says what is wrong. */
export function parseOptions(argv: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      socket: { type: "string" },
      "api-access": { type: "string" },
      deny: { type: "string", multiple: true, default: [] },
      resolver: { type: "string", multiple: true, default: [] },
      "tunnels-per-container": { type: "string", default: "1000" },
      "metrics-port": { type: "string", default: "7512" },
    },
  });
  if (values.socket === undefined) throw new Error("--socket PATH is missing; Envoy asks there");
  if (values["api-access"] === undefined)
    throw new Error("--api-access FOLDER is missing; it holds token and ca.crt of a service account");
  return {
    socket: values.socket,
    apiAccess: values["api-access"],
    deny: values.deny,
    resolvers: values.resolver,
    tunnelsPerContainer: parseWhole("--tunnels-per-container", values["tunnels-per-container"]),
    metricsPort: parsePort("--metrics-port", values["metrics-port"]),
  };
}
