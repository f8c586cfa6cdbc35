/** An Envoy of our own, which no mesh configures: its container, and what its configuration and pod agree on. */
import { type Input, whenKnown } from "../kit/input.ts";
import type { Container } from "./kinds.ts";
import type { Mount } from "./pod.ts";
import { restrictedContainer } from "./security.ts";

/** Any id but root's will do; Envoy writes no file. */
export const envoyUser = 1337;

interface Envoy {
  readonly name: string;
  readonly image: Input<string>;
  readonly imagePullPolicy: Container["imagePullPolicy"];
  readonly resources: Container["resources"];
  /** Where its `envoy.json` is. */
  readonly folder: string;
  /** The volume that is mounted there. */
  readonly config: string;
  readonly concurrency: number;
}

/** What is the same wherever one runs. */
export const envoyContainer = ({
  name,
  image,
  imagePullPolicy,
  resources,
  folder,
  config,
  concurrency,
}: Envoy) => ({
  name,
  image,
  imagePullPolicy,
  command: ["/usr/local/bin/envoy"],
  args: [
    "--config-path",
    `${folder}/envoy.json`,
    "--disable-hot-restart",
    "--concurrency",
    String(concurrency),
  ],
  resources,
  securityContext: { ...restrictedContainer, readOnlyRootFilesystem: true },
  volumeMounts: [{ name: config, mountPath: folder, readOnly: true }],
});

interface Proxy extends Omit<Envoy, "name" | "config" | "concurrency"> {
  readonly drainSeconds: Input<number>;
  readonly healthPort: number;
  /** On which it takes connections. */
  readonly port: { readonly name: string; readonly containerPort: Input<number> };
  /** Besides its configuration. */
  readonly mounts: readonly Mount[];
}

/** One that takes connections by itself, from a Service that it leaves before it stops; the volume `config` has its file. */
export function envoyProxy({ drainSeconds, healthPort, port, mounts, ...envoy }: Proxy) {
  const container = envoyContainer({ ...envoy, name: "proxy", config: "config", concurrency: 2 });
  return {
    ...container,
    readinessProbe: { httpGet: { path: "/ready", port: healthPort }, periodSeconds: 5, failureThreshold: 3 },
    // Envoy ends at once when told to. The pod leaves the Service first, then connections have this long.
    lifecycle: { preStop: { sleep: { seconds: drainSeconds } } },
    ports: [
      { ...port, protocol: "TCP" },
      { name: "health", containerPort: healthPort, protocol: "TCP" },
    ],
    volumeMounts: [...container.volumeMounts, ...mounts],
  };
}

/** The drain of such a pod, and time to end after it. */
export const drainGrace = (drainSeconds: Input<number>) => whenKnown(drainSeconds, (seconds) => seconds + 10);
