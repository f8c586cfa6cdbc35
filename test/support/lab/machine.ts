/** The state of the machine that a lab could leave changed. */
import { readdir, readFile } from "node:fs/promises";
import { run } from "../../../scripts/lib/lab/lab.ts";

/** Commands run in the machine's own network: tests run in that of the first lab, where pods come and go. */
const machineNetwork = ["--net=/proc/1/ns/net", "--"];

/** Reads that state. */
export async function machine() {
  const [links, rules, mounts] = await Promise.all([
    run("nsenter", [...machineNetwork, "ip", "-o", "link"]),
    run("nsenter", [...machineNetwork, "nft", "list", "tables"]),
    readFile("/proc/self/mounts", "utf8"),
  ]);
  const folders = "/run /var/lib /var/log /opt /etc /usr/libexec /sys/fs/cgroup/memory /sys/fs/cgroup".split(
    " ",
  );
  const entries = folders.map(async (folder) => [folder, await readdir(folder).catch(() => [])] as const);
  return {
    links: links.stdout.split("\n").map((line) => line.split(/[:@]/)[1]),
    rules: rules.stdout,
    mounts: mounts.split("\n"),
    folders: Object.fromEntries(await Promise.all(entries)),
  };
}
