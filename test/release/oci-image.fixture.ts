/** An image of a release as its OCI archive holds it. */
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { must } from "../support/lab/lab.ts";

export interface OciImage {
  readonly architecture: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly entrypoint: readonly string[];
  /** What a registry keeps of it and a node fetches. */
  readonly compressedBytes: number;
  /** The folder with its files. */
  readonly root: string;
}

interface Descriptor {
  readonly digest: string;
}

/** Unpacks the one image of an archive into a folder. */
export async function unpackOci(archive: string, folder: string): Promise<OciImage> {
  const [parts, root] = [join(folder, "oci"), join(folder, "root")];
  for (const path of [parts, root]) await mkdir(path, { recursive: true });
  const unpack = (file: string, to: string) => must("tar", ["-xf", file, "-C", to], { timeoutSeconds: 300 });
  await unpack(archive, parts);
  const blob = ({ digest }: Descriptor) => join(parts, "blobs", digest.replace(":", "/"));
  const json = async (file: string) => JSON.parse(await readFile(file, "utf8"));
  const { manifests } = (await json(join(parts, "index.json"))) as { manifests: [Descriptor] };
  const manifest = (await json(blob(manifests[0]))) as { config: Descriptor; layers: Descriptor[] };
  let compressedBytes = 0;
  for (const layer of manifest.layers) {
    await unpack(blob(layer), root);
    // Layers of an archive may be compressed already.
    const words = ["-c", 'gzip -dcf "$1" | gzip | wc -c', "sh", blob(layer)];
    compressedBytes += Number(await must("sh", words, { timeoutSeconds: 300 }));
  }
  const { architecture, config = {} } = (await json(blob(manifest.config))) as {
    architecture: string;
    config?: { Labels?: Record<string, string>; Entrypoint?: string[] };
  };
  const { Labels: labels = {}, Entrypoint: entrypoint = [] } = config;
  return { architecture, labels, entrypoint, compressedBytes, root };
}
