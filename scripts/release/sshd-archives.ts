/** The archives of sshd that the command copies into containers, from the image of each machine type. */
import { ensureDebianPackages, type Progress } from "@drawbridge-iac/lab";
import { packBundle } from "../../packages/cli/src/sshpod/pack-bundle.ts";
import { ensureImages } from "../../packages/lab/src/images/index.ts";

/** The bundle's image by machine type. */
export const bundleImages = { amd64: "sshd-bundle", arm64: "sshd-bundle-arm64" } as const;

export async function makeSshdArchives(target: string, progress: Progress): Promise<void> {
  await ensureDebianPackages(["tar"], progress);
  for (const [architecture, image] of Object.entries(bundleImages)) {
    const { [image]: built } = await ensureImages([image], progress);
    await packBundle(built.tar, architecture, target);
  }
}
