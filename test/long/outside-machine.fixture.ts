/** A machine outside of the cluster with an sshd of its own: a network namespace that is no pod's. */
import { spawn } from "node:child_process";
import { readFile, readlink } from "node:fs/promises";
import { eventually, must, run } from "../../scripts/lib/lab/lab.ts";
import { type LoopbackSshd, startSshd } from "../support/clients/loopback-ssh.ts";

export interface OutsideMachine extends LoopbackSshd {
  /** How many connections have been opened to it since it began. */
  opened(): Promise<number>;
}

/**
 * @param own its addresses, at which its sshd listens on port 22; the router has the first of their network
 * @param bits of that network
 */
export async function startOutsideMachine(own: readonly string[], bits = 24): Promise<OutsideMachine> {
  const child = spawn("unshare", ["--net", "sleep", "infinity"], { stdio: "ignore" });
  const pid = String(child.pid);
  const here = await readlink("/proc/self/ns/net");
  await eventually("a network namespace", async () => (await readlink(`/proc/${pid}/ns/net`)) !== here, 10);
  const router = (own[0] ?? "").replace(/\d+$/, "1");
  const inside = ["nsenter", "--target", pid, "--net"];
  const steps = [
    ["ip", "link", "add", "vm0", "type", "veth", "peer", "name", "vm1"],
    ["ip", "address", "add", `${router}/${bits}`, "dev", "vm0"],
    ["ip", "link", "set", "vm0", "up"],
    ["ip", "link", "set", "vm1", "netns", pid],
    ...own.map((address) => [...inside, "ip", "address", "add", `${address}/${bits}`, "dev", "vm1"]),
    [...inside, "ip", "link", "set", "vm1", "up"],
    [...inside, "ip", "route", "add", "default", "via", router],
  ];
  for (const [program = "", ...args] of steps) await must(program, args);
  const sshd = await startSshd(undefined, { addresses: own, port: 22, inside });
  return {
    ...sshd,
    async opened() {
      const [names = "", values = ""] = (await readFile(`/proc/${pid}/net/snmp`, "utf8"))
        .split("\n")
        .filter((line) => line.startsWith("Tcp:"));
      return Number(values.split(" ")[names.split(" ").indexOf("PassiveOpens")]);
    },
    async stop() {
      await sshd.stop();
      child.kill("SIGKILL");
      await run("ip", ["link", "del", "vm0"]);
    },
  };
}
