import { childrenOf } from "../../packages/lab/src/cluster/host/processes.ts";

/** A signal ends what this process has started, which removes what it made, and only then this process itself. */
export function passSignalsOn(): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      for (const child of childrenOf(process.pid)) process.kill(child, signal);
    });
  }
}
