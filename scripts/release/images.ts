/**
 * The images as OCI archives: those that the lab builds and tests, with the release's version in their labels. They
 * start from Debian trixie; packages/images/build.sh builds the same recipes on another base or for another machine.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureDebianPackages, type Progress } from "@drawbridge-iac/lab";
import { packBundle } from "../../packages/cli/src/sshpod/pack-bundle.ts";
import { storageDriver } from "../../packages/lab/src/images/buildah.ts";
import { ensureImages } from "../../packages/lab/src/images/index.ts";
import { run } from "../lib/published.ts";
import { debianComponents, document } from "./inventory.ts";

/** The bundle's image by machine type. */
const bundleImages = { amd64: "sshd-bundle", arm64: "sshd-bundle-arm64" } as const;

const images = [
  ["devcontainer", "amd64"],
  [bundleImages.amd64, "amd64"],
  [bundleImages.arm64, "arm64"],
  ["frps", "amd64"],
  ["frpc", "amd64"],
  ["programs", "amd64"],
  ["dufs", "amd64"],
] as const;

export async function makeImages(target: string, version: string, progress: Progress): Promise<void> {
  mkdirSync(target, { recursive: true });
  for (const [image, architecture] of images) {
    const { [image]: built } = await ensureImages([image], progress);
    const name = image.replace(/-arm64$/, "");
    const file = join(target, `${name}-${version}-linux-${architecture}.oci.tar`);
    await progress.step(`image ${name} for ${architecture}`, () =>
      release(built.tar, file, { name, version, architecture }),
    );
  }
}

interface Labels {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
}

// buildah leaves its storage mounted; in a mount namespace of its own the mounts end with it.
const script = `
at=$1; driver=$2; from=$3; to=$4; status=$5; shift 5
buildah() { command buildah --root "$at/storage" --runroot "$at/run" --storage-driver "$driver" "$@"; }
container=$(buildah from "docker-archive:$from")
mounted=$(buildah mount "$container")
for list in var/lib/dpkg/status drawbridge/share/packages; do
  if [ -f "$mounted/$list" ]; then cp "$mounted/$list" "$status"; fi
done
buildah config "$@" "$container"
# Compressed as a registry keeps it, so that the digest stays.
buildah commit --quiet --format oci --disable-compression=false "$container" "oci-archive:$to"
`;

/** Writes one image with its labels, and beside it the list of its Debian packages. */
async function release(from: string, file: string, { name, version, architecture }: Labels): Promise<void> {
  const scratch = mkdtempSync(`${file}-`);
  try {
    const status = join(scratch, "status");
    const labels = { title: `drawbridge ${name}`, version, licenses: "Apache-2.0" };
    const config = [
      `--arch=${architecture}`,
      "--os=linux",
      ...Object.entries(labels).map(([key, value]) => `--label=org.opencontainers.image.${key}=${value}`),
    ];
    const driver = storageDriver(statfsSync(scratch).type);
    const reference = `${file}:${name}:${version}`;
    const words = [scratch, driver, from, reference, status, ...config];
    run("unshare", ["--mount", "sh", "-euc", script, "sh", ...words]);
    if (existsSync(status)) {
      const components = debianComponents(status, architecture);
      writeFileSync(file.replace(/\.oci\.tar$/, ".cdx.json"), document(name, version, components));
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The archives of sshd that the command copies into containers, from the image of each machine type. */
export async function makeSshdArchives(target: string, progress: Progress): Promise<void> {
  await ensureDebianPackages(["tar"], progress);
  for (const [architecture, image] of Object.entries(bundleImages)) {
    const { [image]: built } = await ensureImages([image], progress);
    await packBundle(built.tar, architecture, target);
  }
}
