import { parseArgs } from "node:util";
import { idleMetricsPort } from "@drawbridge-iac/drawbridge/src/host/idle/contract";
import { parseWhole } from "../numbers.ts";
import { defaultQuery, type GpuSource } from "./cull/prometheus.ts";

/** What the program is told when it starts. */
export interface Options {
  readonly role: "cull" | "activate";
  /** Port for health and metrics, on every address. */
  readonly metricsPort: number;
  /** Folder with the service account's token and CA. */
  readonly apiAccess: string;
  readonly periodSeconds: number;
  /** Whose containers are seen to, as `namespace/name`. */
  readonly gateway: string;
  readonly gpu: GpuSource | undefined;
  /** This pod's own address. */
  readonly address: string;
  /** The Lease (`namespace/name`) by which one of several pods leads, and this pod; undefined for one that is alone. */
  readonly shared:
    | { readonly lease: string; readonly pod: { readonly name: string; readonly uid: string } }
    | undefined;
  readonly wakesPerHour: number;
  readonly reconnectPause: number;
  readonly heldPerContainer: number;
}

export const usage = `drawbridge-idle cull|activate: puts idle containers to sleep; wakes them when someone connects.

  --gateway NAMESPACE/NAME  the SshGateway whose containers these are
  --api-access FOLDER       folder with token and ca.crt of a service account
                            (/var/run/secrets/kubernetes.io/serviceaccount)
  --metrics-port N          port for /healthz and /metrics (${idleMetricsPort})

cull:
  --every SECONDS           how often every container is looked at (30)
  --prometheus URL          a Prometheus with the metrics of NVIDIA's DCGM exporter, for containers that ask for it
  --gpu-query QUERY         what it is asked; NAMESPACE and POD stand for the container's own

activate:
  --address IP              this pod's own address, which the gateway is given
  --lease NAMESPACE/NAME    the Lease by which one of several pods leads (none: it is alone)
  --pod NAME/UID            this pod, which is needed with --lease
  --wakes-per-hour N        how often one container may be woken (12)
  --reconnect-pause SECONDS after a stop, attempts that follow each other faster wake nobody (60)
  --held-per-container N    connections that may wait for one container (50)
`;

/** Reads the command line; throws with one sentence that says what is wrong. */
export function parseOptions(argv: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      "api-access": { type: "string", default: "/var/run/secrets/kubernetes.io/serviceaccount" },
      "metrics-port": { type: "string", default: String(idleMetricsPort) },
      gateway: { type: "string" },
      every: { type: "string", default: "30" },
      prometheus: { type: "string" },
      "gpu-query": { type: "string", default: defaultQuery },
      address: { type: "string" },
      lease: { type: "string" },
      pod: { type: "string" },
      "wakes-per-hour": { type: "string", default: "12" },
      "reconnect-pause": { type: "string", default: "60" },
      "held-per-container": { type: "string", default: "50" },
    },
  });
  const [role, ...others] = positionals;
  if ((role !== "cull" && role !== "activate") || others.length > 0) {
    throw new Error(`say what to do: cull or activate, not ${JSON.stringify(positionals.join(" "))}`);
  }
  if (role === "activate" && values.address === undefined) {
    throw new Error("--address IP is missing; it is this pod's own");
  }
  if (values.gateway === undefined)
    throw new Error("--gateway NAMESPACE/NAME is missing; it says whose containers these are");
  const { prometheus, gateway } = values;
  return {
    role,
    metricsPort: parseWhole("--metrics-port", values["metrics-port"]),
    apiAccess: values["api-access"],
    gateway,
    periodSeconds: parseWhole("--every", values.every),
    gpu:
      prometheus === undefined
        ? undefined
        : { url: prometheus.replace(/\/+$/, ""), query: values["gpu-query"] },
    address: values.address ?? "",
    shared: values.lease === undefined ? undefined : { lease: values.lease, pod: podOf(values.pod) },
    wakesPerHour: parseWhole("--wakes-per-hour", values["wakes-per-hour"]),
    reconnectPause: parseWhole("--reconnect-pause", values["reconnect-pause"]),
    heldPerContainer: parseWhole("--held-per-container", values["held-per-container"]),
  };
}

function podOf(text = ""): { name: string; uid: string } {
  const [, name, uid] = /^([^/]+)\/([^/]+)$/.exec(text) ?? [];
  if (name === undefined || uid === undefined) throw new Error("--pod NAME/UID is missing; --lease needs it");
  return { name, uid };
}
