/** A person at a terminal who waits for the shell. */
import { spawn } from "node:child_process";
import type { Laptop } from "../../../scripts/lib/lab/lab.ts";
import { type TunnelDoor, untilAccepted } from "../support/tunnels.ts";

/**
 * Seconds from `began` (as `performance.now()` has it) until a login shows a prompt.
 * @param door where the gateway takes the container's tunnels; knocking there costs the machine less than logins that
 *   cannot pass yet
 */
export async function untilPrompt(
  laptop: Laptop,
  host: string,
  door: TunnelDoor,
  began: number,
  seconds = 300,
): Promise<number> {
  for (;;) {
    await untilAccepted(door, began, seconds);
    const prompted = await prompt(laptop, host);
    const passed = (performance.now() - began) / 1000;
    if (prompted === "shown") return passed;
    if (passed > seconds) throw new Error(`${host} showed no prompt within ${seconds} s: ${prompted}`);
  }
}

/** One login; resolves with "shown" or with what ssh said instead. */
function prompt(laptop: Laptop, host: string): Promise<string> {
  const ssh = spawn("ssh", ["-tt", "-F", laptop.configFile, host], {
    env: { ...process.env, ...laptop.env },
  });
  return new Promise((resolve) => {
    let screen = "";
    let complaint = "";
    ssh.stdout.on("data", (chunk: Buffer) => {
      screen += chunk.toString();
      if (!isPrompt(screen)) return;
      resolve("shown");
      ssh.kill();
    });
    ssh.stderr.on("data", (chunk: Buffer) => {
      complaint += chunk.toString();
    });
    ssh.once("close", () => resolve(complaint.trim()));
  });
}

/** Whether a terminal's output ends in a shell's prompt, colours and other control sequences aside. */
export function isPrompt(screen: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what control sequences begin with
  return /[$#%] ?$/.test(screen.replaceAll(/\u001b(\[[?0-9;]*[A-Za-z]|\][^\u0007]*\u0007)/g, ""));
}
