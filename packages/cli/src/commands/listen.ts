/** `drawbridge listen`: serves a loopback port for each container. */
import { watchFile } from "node:fs";
import { isExpected } from "../faults.ts";
import { sshFiles } from "../files.ts";
import { NothingKnown, readKnownStacks } from "../known-stacks.ts";
import { LoopbackServers, portTable } from "../listen/loopback-servers.ts";
import { visible } from "../terminal.ts";

/** Follows what `ssh-config` changes; returns once the laptop knows no containers any more. */
export async function listen(print: (text: string) => void): Promise<void> {
  const files = sshFiles();
  const warn = (text: string) => print(`${visible(text)}\n`);
  const servers = new LoopbackServers(files.userKnownHosts, warn);
  const follow = async () => print(await servers.follow(await readKnownStacks(files)));
  await follow();
  await new Promise<void>((resolve, reject) => {
    const changed = () =>
      follow().catch((error: Error) => {
        if (error instanceof NothingKnown) resolve();
        // Open sessions must not end because a newer drawbridge has written the file of targets.
        else if (isExpected(error)) warn(error.message);
        else reject(error);
      });
    watchFile(files.targets, { interval: 1000 }, changed);
  });
}

/** The table of ports, whether `listen` runs or not. */
export async function ports(): Promise<string> {
  return portTable(await readKnownStacks());
}
