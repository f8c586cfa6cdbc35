import { promisify } from "node:util";
import { gunzip } from "node:zlib";

const block = 512;

/** The content of one file of a compressed tar archive, by its path without a leading `./`. */
export async function fileInTar(archive: Buffer, path: string): Promise<Buffer> {
  const tar = await promisify(gunzip)(archive);
  const text = (at: number, length: number) => tar.toString("latin1", at, at + length).replace(/\0.*$/s, "");
  for (let at = 0; at + block <= tar.length; ) {
    const name = text(at, 100);
    if (name === "") break;
    const size = Number.parseInt(text(at + 124, 12), 8);
    if (name.replace(/^\.\//, "") === path) return tar.subarray(at + block, at + block + size);
    at += block + Math.ceil(size / block) * block;
  }
  throw new Error(`the sshd archive holds no ${path}; install the package again`);
}
