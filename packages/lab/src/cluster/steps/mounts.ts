import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { promisify } from "node:util";
import type { Plan } from "../plan.ts";
import type { Step } from "../supervisor/graph.ts";

const run = promisify(execFile);

/**
 * Folders whose place is fixed in programs' code and which the machine must keep for itself: sockets, locks and
 * named network namespaces below /run, kubelet's links to logs below /var/log.
 */
export function mounts({ layout }: Plan): Step {
  return {
    name: "mounts",
    after: [],
    run: async () => {
      // Mounts made here reach containers that ask for it, and never the machine (`up` cut that tie).
      await run("mount", ["--make-rshared", "/"]);
      await run("mount", ["-t", "tmpfs", "-o", "mode=755", "tmpfs", "/run"]);
      await mkdir(layout.podLogs, { recursive: true });
      await run("mount", ["--bind", layout.podLogs, "/var/log"]);
    },
  };
}
