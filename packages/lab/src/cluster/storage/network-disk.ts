import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** The name under which Kubernetes knows the driver. */
export const networkDisk = "drawbridge.local/network-disk";

/**
 * A FlexVolume driver: the attach/detach controller attaches a disk to one node at a time, and each kubelet mounts what is
 * attached, as with a cloud's disks. The disk itself is a folder that all nodes have, so nothing is copied when it moves.
 */
const script = (folder: string) => `#!/bin/sh
name() { printf '%s' "$1" | sed 's|.*"kubernetes.io/pvOrVolumeName":"\\([^"]*\\)".*|\\1|'; }
success() { printf '{"status": "Success"%s}' "$1"; }
case $1 in
  init) success ', "capabilities": {"attach": true, "fsGroup": true, "selinuxRelabel": false, "requiresFSResize": false}' ;;
  attach) success ", \\"device\\": \\"${folder}/$(name "$2")\\"" ;;
  waitforattach) success ", \\"device\\": \\"$2\\"" ;;
  mountdevice) mount --bind "$3" "$2" && success ;;
  # All else is done by Kubernetes itself.
  *) printf '{"status": "Not supported"}'; exit 1 ;;
esac
`;

/**
 * Writes the driver where kubelet and the controller manager look for it.
 * @param kubelet kubelet's folder
 * @param folder holds one folder per disk
 */
export async function installDriver(kubelet: string, folder: string): Promise<void> {
  const path = join(kubelet, "plugins-exec", networkDisk.replace("/", "~"), "network-disk");
  await mkdir(folder, { recursive: true });
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, script(folder));
  await chmod(path, 0o755);
}
