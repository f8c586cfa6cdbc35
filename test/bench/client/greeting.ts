/** What a ProxyCommand costs before and while ssh speaks: how soon sshd's greeting comes, and the memory it takes. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ClientLaptop } from "./laptop.ts";

/** Rival -> the command that joins its standard input and output with one container. */
export function proxyCommands({ cli, gateway }: ClientLaptop, host: string): Record<string, string[]> {
  const door = `127.0.0.1:${gateway.port}`;
  const program = join(cli.bin, "drawbridge");
  return {
    drawbridge: [program, "proxy", "--via", `http://${door}`, "--host", host, "--port", "22"],
    nc: ["nc", "-X", "connect", "-x", door, host, "22"],
    proxytunnel: ["proxytunnel", "-q", "-p", door, "-d", `${host}:22`],
  };
}

export interface Greeting {
  readonly seconds: number;
  /** Resident bytes at their most. */
  readonly resident: number;
}

export async function greeted(command: readonly string[], env: Record<string, string>): Promise<Greeting> {
  const [program = "", ...args] = command;
  const began = performance.now();
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "inherit"] });
  try {
    const [said] = (await once(child.stdout, "data")) as [Buffer];
    const seconds = (performance.now() - began) / 1000;
    if (!said.toString().startsWith("SSH-2.0-")) throw new Error(`${program} said ${said}`);
    const status = await readFile(`/proc/${child.pid}/status`, "utf8");
    return { seconds, resident: Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024 };
  } finally {
    child.kill("SIGKILL");
    await once(child, "close");
  }
}
