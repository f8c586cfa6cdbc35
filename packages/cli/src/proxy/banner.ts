/** The banner: what sshd says before anything else. */
import type { Duplex } from "node:stream";
import {
  activatorGreeting,
  awakeLine,
  heldLine,
  heldMark,
} from "@drawbridge-iac/drawbridge/src/host/idle/contract";
import { Step, WayError } from "../faults.ts";
import { mostSaid, reasonIn } from "./past-activator.ts";

const greetingTimeoutMs = 15_000;

/**
 * Resolves to sshd's version line, or to a text saying that the container has just woken. If neither comes, the last line that
 * the activator wrote becomes the fault's text.
 */
export function readBanner(stream: Duplex): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (text: string) => {
      clearTimeout(timer);
      stream.destroy();
      reject(new WayError(Step.banner, text));
    };
    const succeed = (banner: string) => {
      clearTimeout(timer);
      resolve(banner);
    };
    let text = "";
    let heldReason: string | undefined;
    const silence = `no greeting within ${greetingTimeoutMs / 1000} s; the port is open, but no sshd answers behind it`;
    const timer = setTimeout(() => fail(heldReason ?? silence), greetingTimeoutMs);
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      const lines = text.split("\n");
      // The last piece is a line that has not ended yet.
      const other = lines.findIndex((line, at) => !line.startsWith(heldMark) || at === lines.length - 1);
      const lastHeld = lines[other - 1]?.trim();
      if (lastHeld !== undefined && lastHeld !== heldLine) heldReason = lastHeld.slice(heldMark.length);
      const line = lines[other] ?? "";
      const isWhole = other < lines.length - 1;
      const isGreeting = isWhole && line.startsWith("SSH-");
      if (lastHeld === awakeLine) succeed("it has just woken");
      else if (isGreeting && line.trim() !== activatorGreeting) succeed(line.trim());
      else if ((isWhole && !isGreeting) || text.length > mostSaid) fail(refusalIn(line));
    });
    stream.once("error", (error) => fail(error.message));
    stream.once("close", () =>
      fail(
        reasonIn(text) ??
          "the connection was closed before sshd sent its greeting; sshd may be starting, or full (MaxStartups)",
      ),
    );
    stream.resume();
  });
}

/** Text for a line that came in place of a greeting: one of OpenSSH's own refusals, or another program's. */
function refusalIn(line: string): string {
  if (line.startsWith("Not allowed at this time")) {
    return "sshd refuses this address for now (PerSourcePenalties), because connections from it did not log in; wait half a minute";
  }
  if (line.startsWith("Exceeded MaxStartups")) {
    return "sshd has as many connections waiting to log in as it allows (MaxStartups); try again";
  }
  return `${JSON.stringify(line.slice(0, 60))} is not the greeting of an SSH server; check the port`;
}
