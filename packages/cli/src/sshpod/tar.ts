import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

const blockBytes = 512;

/** The content of one file of a compressed tar archive, by its path without a leading `./`. */
export async function fileInTar(archive: Buffer, path: string): Promise<Buffer> {
  const found = (await filesInTar(archive)).get(path);
  if (found === undefined) throw new Error(`the sshd archive holds no ${path}; install the package again`);
  return found;
}

/** What `sha256sum -c` reads, for the files of one folder of the archive. */
export async function sumsOf(archive: Buffer, folder: string): Promise<string> {
  const files = [...(await filesInTar(archive))].filter(
    ([path]) => path.startsWith(`${folder}/`) && !path.endsWith("/"),
  );
  const sum = (content: Buffer) => createHash("sha256").update(content).digest("hex");
  return files.map(([path, content]) => `${sum(content)}  ${path.slice(folder.length + 1)}`).join("\n");
}

/** The files of a compressed tar archive, by their paths without a leading `./`. */
async function filesInTar(archive: Buffer): Promise<Map<string, Buffer>> {
  const tar = await promisify(gunzip)(archive);
  const files = new Map<string, Buffer>();
  const text = (at: number, length: number) => tar.toString("latin1", at, at + length).replace(/\0.*$/s, "");
  // A header is a block, with the file's name at 0 and its size, in octal, at 124.
  for (let at = 0; at + blockBytes <= tar.length; ) {
    const name = text(at, 100);
    if (name === "") break;
    const bytes = Number.parseInt(text(at + 124, 12), 8);
    files.set(name.replace(/^\.\//, ""), tar.subarray(at + blockBytes, at + blockBytes + bytes));
    at += blockBytes + Math.ceil(bytes / blockBytes) * blockBytes;
  }
  return files;
}
