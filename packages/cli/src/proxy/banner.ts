/** The banner: what sshd says before anything else. */
import type { Duplex } from "node:stream";
import { Step, WayError } from "./way-error.ts";

const greetingTimeoutMs = 15_000;

/** The version line of sshd, the first thing that it sends. */
export function readBanner(stream: Duplex): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (text: string) => {
      clearTimeout(timer);
      stream.destroy();
      reject(new WayError(Step.banner, text));
    };
    const timer = setTimeout(
      () =>
        fail(
          `no greeting within ${greetingTimeoutMs / 1000} s; the port is open, but no sshd answers behind it`,
        ),
      greetingTimeoutMs,
    );
    let text = "";
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      const line = text.split("\n", 1)[0] ?? "";
      if (text.length > line.length && line.startsWith("SSH-")) {
        clearTimeout(timer);
        resolve(line.trim());
      } else if (text.length > line.length || text.length > 1024) {
        fail(refusalIn(line));
      }
    });
    stream.once("error", (error) => fail(error.message));
    stream.once("close", () =>
      fail(
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
