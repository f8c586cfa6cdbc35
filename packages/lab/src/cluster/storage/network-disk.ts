import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { filled } from "@drawbridge-iac/manifests/program";
import { networkDiskSh } from "../../made/programs.ts";

/** The name under which Kubernetes knows the driver. */
export const networkDisk = "drawbridge.local/network-disk";

/**
 * Writes the driver where kubelet and the controller manager look for it.
 * @param kubelet kubelet's folder
 * @param folder holds one folder per disk
 */
export async function installDriver(kubelet: string, folder: string): Promise<void> {
  const path = join(kubelet, "plugins-exec", networkDisk.replace("/", "~"), "network-disk");
  await mkdir(folder, { recursive: true });
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, filled(networkDiskSh, { FOLDER: folder }));
  await chmod(path, 0o755);
}
