import { dirname, join } from "node:path";
import { containerdSocket, type Layout } from "../layout.ts";
import type { Plan } from "../plan.ts";
import { accepts } from "../supervisor/probes.ts";
import type { Program } from "../supervisor/program.ts";
import { cniFiles, cniFolders } from "./cni.ts";

/** containerd's configuration. Its state is below /run, which an instance has for itself. */
export function containerdConfig(layout: Layout, runc: string, pauseImage: string): string {
  const folders = cniFolders(layout);
  return `version = 3
root = "${layout.containerd}"
state = "${dirname(containerdSocket)}"

[grpc]
  address = "${containerdSocket}"

[plugins."io.containerd.internal.v1.opt"]
  path = "${layout.containerd}-opt"

[plugins."io.containerd.cri.v1.images"]
  snapshotter = "overlayfs"
  [plugins."io.containerd.cri.v1.images".pinned_images]
    sandbox = "${pauseImage}"

[plugins."io.containerd.cri.v1.runtime"]
  # Without CAP_SYS_RESOURCE root may not lower a score below its own; in the lab nothing needs it.
  restrict_oom_score_adj = true
  disable_apparmor = true
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

export function containerd({ tools, layout, pauseImage }: Plan): Program {
  const config = join(layout.config, "containerd.toml");
  return {
    name: "containerd",
    after: [],
    command: tools.containerd,
    args: [`--config=${config}`, "--log-level=warn"],
    // It looks for its shim on PATH; CNI's plugins call iptables.
    env: { PATH: `${dirname(tools["containerd-shim-runc-v2"])}:${process.env.PATH}` },
    files: { [config]: containerdConfig(layout, tools.runc, pauseImage), ...cniFiles(layout) },
    ready: accepts({ path: containerdSocket }),
  };
}
