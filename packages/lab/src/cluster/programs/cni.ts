import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { addresses } from "../addresses.ts";
import type { Layout } from "../layout.ts";
import type { Plan } from "../plan.ts";
import type { Step } from "../supervisor/graph.ts";

export function cniFolders({ cni }: Layout) {
  return { programs: join(cni, "bin"), config: join(cni, "net.d"), leases: join(cni, "leases") };
}

/** Plugin chain: a bridge with one address range, and host ports. Nothing leaves the instance, so no masquerade. */
export function cniFiles(layout: Layout): Record<string, string> {
  const folders = cniFolders(layout);
  const chain = {
    cniVersion: "1.0.0",
    name: "drawbridge-lab",
    plugins: [
      {
        type: "bridge",
        bridge: "pods0",
        isDefaultGateway: true,
        // A pod reaches itself through its own Service.
        hairpinMode: true,
        ipam: { type: "host-local", dataDir: folders.leases, ranges: [[{ subnet: addresses.pods }]] },
      },
      { type: "portmap", capabilities: { portMappings: true } },
    ],
  };
  return { [join(folders.config, "10-drawbridge-lab.conflist")]: JSON.stringify(chain, undefined, 2) };
}

/** Containerd finds a plugin by the name of its file; our cache's names carry a prefix. */
export function cniPlugins({ tools, layout }: Plan): Step {
  const { programs } = cniFolders(layout);
  return {
    name: "cni",
    after: [],
    run: async () => {
      await mkdir(programs, { recursive: true });
      await Promise.all(
        (["bridge", "host-local", "loopback", "portmap"] as const).map((plugin) =>
          copyFile(tools[`cni-${plugin}`], join(programs, plugin)),
        ),
      );
    },
  };
}
