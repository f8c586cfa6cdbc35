import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { containerdSocket, type NodeLayout } from "../layout.ts";
import { type NodePlan, stepSeconds } from "../nodes/plan.ts";
import type { Plan } from "../plan.ts";
import type { Step } from "../supervisor/graph.ts";
import type { Program } from "../supervisor/keeper.ts";
import { accepts } from "../supervisor/probes.ts";

function cniFolders({ cni }: NodeLayout) {
  return { programs: join(cni, "bin"), config: join(cni, "net.d"), leases: join(cni, "leases") };
}

/** Plugin chain: a wire and a route to each pod, and host ports. Nothing leaves the instance, so no masquerade. */
export function cniFiles({ layout, pods }: NodePlan): Record<string, string> {
  const folders = cniFolders(layout);
  const chain = {
    cniVersion: "1.0.0",
    name: "drawbridge-lab",
    plugins: [
      {
        // Routed: of a packet that a bridge floods, Linux queues the last copy alone, so that NFQUEUE loses it.
        type: "ptp",
        ipam: {
          type: "host-local",
          dataDir: folders.leases,
          ranges: [[{ subnet: pods }]],
          routes: [{ dst: "0.0.0.0/0" }],
        },
      },
      { type: "portmap", capabilities: { portMappings: true } },
    ],
  };
  return { [join(folders.config, "10-drawbridge-lab.conflist")]: JSON.stringify(chain, undefined, 2) };
}

/** Containerd finds a plugin by the name of its file; our cache's names carry a prefix. */
export function cniPlugins({ tools }: Plan, node: NodePlan): Step {
  const { programs } = cniFolders(node.layout);
  return {
    name: "cni",
    after: [],
    run: async () => {
      await mkdir(programs, { recursive: true });
      await Promise.all(
        (["host-local", "loopback", "portmap", "ptp"] as const).map((plugin) =>
          copyFile(tools[`cni-${plugin}`], join(programs, plugin)),
        ),
      );
    },
  };
}

/** containerd's configuration. Its state is below /run, which a node has for itself. */
export function containerdConfig(node: NodePlan, runc: string, pauseImage: string): string {
  const { layout, machine = false } = node;
  const [folders, patience] = [cniFolders(layout), stepSeconds(node) / 4];
  return `version = 3
root = "${layout.containerd}"
state = "${dirname(containerdSocket)}"

[grpc]
  address = "${containerdSocket}"

[plugins."io.containerd.internal.v1.opt"]
  path = "${layout.containerd}-opt"

# Who does not answer in time is dropped: the engine of NetworkPolicy, on a busy computer.
[plugins."io.containerd.nri.v1.nri"]
  plugin_registration_timeout = "${patience}s"
  plugin_request_timeout = "${patience}s"

[plugins."io.containerd.cri.v1.images"]
  snapshotter = "overlayfs"
  [plugins."io.containerd.cri.v1.images".pinned_images]
    sandbox = "${pauseImage}"

[plugins."io.containerd.cri.v1.runtime"]
  # Without CAP_SYS_RESOURCE root may not lower a score below its own; in the lab nothing needs it.
  restrict_oom_score_adj = true
  disable_apparmor = ${!machine}
  [plugins."io.containerd.cri.v1.runtime".cni]
    bin_dirs = ["${folders.programs}"]
    conf_dir = "${folders.config}"
  [plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]
      BinaryName = "${runc}"
      SystemdCgroup = false
`;
}

export function containerd({ tools, pauseImage }: Plan, node: NodePlan): Program {
  const { layout } = node;
  const config = join(layout.config, "containerd.toml");
  return {
    name: "containerd",
    after: [],
    command: tools.containerd,
    args: [`--config=${config}`, "--log-level=warn"],
    // It looks for its shim on PATH; CNI's plugins call iptables.
    env: { PATH: `${dirname(tools["containerd-shim-runc-v2"])}:${process.env.PATH}` },
    files: { [config]: containerdConfig(node, tools.runc, pauseImage), ...cniFiles(node) },
    ready: accepts({ path: containerdSocket }),
  };
}
