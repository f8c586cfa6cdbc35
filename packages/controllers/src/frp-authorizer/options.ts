import { parseArgs } from "node:util";
import { parsePort } from "../numbers.ts";

/** What the program is told when it starts. */
export interface Options {
  /** Port for frps, on loopback. */
  readonly port: number;
  /** Port for health and metrics, on every address. */
  readonly metricsPort: number;
  /** The platform's file. */
  readonly units: string;
  /** Folder with the service account's token and CA; without it grants are not looked up in a cluster. */
  readonly apiAccess: string | undefined;
}

export const usage = `drawbridge-frp-authorizer: tells frps which frpc may register which name.

  --units FILE         containers that the platform knows: {"domainSuffix": "…", "units": {"ns/name": {…}}}
  --api-access FOLDER  folder with token and ca.crt of a service account; grants are then looked up in the
                       cluster at KUBERNETES_SERVICE_HOST. Without it only the units' own hashes count.
  --port N             port for frps, on 127.0.0.1 (7501)
  --metrics-port N     port for /healthz and /metrics (7502)
`;

/** Reads the command line; throws with one sentence that says what is wrong. */
export function parseOptions(argv: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      port: { type: "string", default: "7501" },
      "metrics-port": { type: "string", default: "7502" },
      units: { type: "string" },
      "api-access": { type: "string" },
    },
  });
  if (values.units === undefined) throw new Error("--units FILE is missing; it names the platform's file");
  return {
    port: parsePort("--port", values.port),
    metricsPort: parsePort("--metrics-port", values["metrics-port"]),
    units: values.units,
    apiAccess: values["api-access"],
  };
}
