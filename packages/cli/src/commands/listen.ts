/** `drawbridge listen`: serves a loopback port for each container, or installs the service that does. */
import { watchFile } from "node:fs";
import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname } from "node:path";
import { readKnownStacks } from "../known-stacks.ts";
import { LoopbackServers } from "../listen/loopback-servers.ts";
import { serviceOf } from "../listen/service.ts";
import { isExpected } from "../proxy/way-error.ts";
import { thisOs } from "../self.ts";
import { sshFiles } from "../ssh-files.ts";
import { starterOf } from "../starter.ts";
import { visible } from "../terminal.ts";
import { replace } from "../whole-file.ts";

/** Returns when the laptop knows no containers any more; until then it follows what `ssh-config` changes. */
export async function listen(print: (text: string) => void): Promise<void> {
  const files = sshFiles();
  const servers = new LoopbackServers(files.userKnownHosts, (text) => print(`${visible(text)}\n`));
  const follow = async () => print(await servers.follow(await readKnownStacks(files)));
  await follow();
  await new Promise<void>((resolve, reject) => {
    const changed = () => follow().catch((error) => (isExpected(error) ? resolve() : reject(error)));
    watchFile(files.targets, { interval: 1000 }, changed);
  });
}

export async function install(): Promise<string> {
  const files = sshFiles();
  await readKnownStacks(files);
  const { file, text, start, stop } = serviceOf(thisOs(), homedir(), starterOf(files));
  if (file !== undefined && text !== undefined) {
    await mkdir(dirname(file), { recursive: true });
    await replace(file, text);
  }
  const wrote = file === undefined ? "" : `wrote ${file}\n`;
  return `${wrote}switch it on:  ${start}\nand off again: ${stop}\n`;
}
