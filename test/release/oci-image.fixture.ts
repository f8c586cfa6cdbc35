/** An image of a release as its OCI archive holds it. */
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { must } from "../../scripts/lib/lab/lab.ts";

export interface OciImage {
  readonly architecture: string;
  readonly digest: string;
  readonly layers: readonly Descriptor[];
  readonly labels: Readonly<Record<string, string>>;
  readonly entrypoint: readonly string[];
  /** The folder with its files. */
  readonly root: string;
}

interface Descriptor {
  readonly digest: string;
  readonly mediaType: string;
  readonly size: number;
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
  const { config: described, layers } = (await json(blob(manifests[0]))) as {
    config: Descriptor;
    layers: Descriptor[];
  };
  for (const layer of layers) await unpack(blob(layer), root);
  const { architecture, config = {} } = (await json(blob(described))) as {
    architecture: string;
    config?: { Labels?: Record<string, string>; Entrypoint?: string[] };
  };
  const { Labels: labels = {}, Entrypoint: entrypoint = [] } = config;
  return { architecture, digest: manifests[0].digest, layers, labels, entrypoint, root };
}
