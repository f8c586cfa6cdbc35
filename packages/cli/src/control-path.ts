/** The socket by which sessions to one host share a connection; its path must fit into what the system has for one. */
import { createHash } from "node:crypto";
import type { SshTarget } from "@drawbridge-iac/drawbridge/src/host/client-texts/target";
import { CliError } from "./faults.ts";

/** The longest path of a socket, in bytes: `sun_path` without its end. */
const longest = { linux: 107, macos: 103 };
/** ssh makes the socket under a name of a dot and 16 characters more. */
const added = 17;

/**
 * The value of ControlPath: by OpenSSH's own hash of 40 characters where that fits, else by a shorter one.
 * @param home of the account, where ssh looks for `~`
 */
export function controlPath(
  home: string,
  os: keyof typeof longest,
  { hostName, port, user }: Pick<SshTarget, "hostName" | "port" | "user">,
): string {
  const place = createHash("sha256").update(`${hostName}:${port}`).digest("hex").slice(0, 10);
  const fits = (path: string) => Buffer.byteLength(home + path) + added <= longest[os];
  if (fits(`/.ssh/drawbridge-${"C".repeat(40)}`)) return "~/.ssh/drawbridge-%C";
  if (fits(`/.ssh/drawbridge-${place}-${user}`)) return `~/.ssh/drawbridge-${place}-%r`;
  throw new CliError(
    `--multiplex cannot work here: below ${home}/.ssh the path of its socket would be longer than the ${longest[os]} bytes that this system takes; take --multiplex 0`,
  );
}
