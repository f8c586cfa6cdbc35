/** The last two steps, host key and login, as the real ssh takes them. */
import { execFile } from "node:child_process";
import { fingerprint, parseAuthorizedKey, type SshTarget } from "@drawbridge-iac/manifests";
import { Step } from "../proxy/way-error.ts";
import type { Finding } from "./finding.ts";

/** What a try of ssh with `-v` said. */
export interface SshTry {
  readonly code: number;
  readonly stderr: string;
}

/** Runs `true` in the container, with no question asked and no shared connection used. */
export function tryLogin(alias: string, options: readonly string[]): Promise<SshTry> {
  const settings = ["BatchMode=yes", "ConnectTimeout=20", "ControlMaster=no", "ControlPath=none"];
  const args = [...options, "-v", ...settings.flatMap((one) => ["-o", one]), alias, "true"];
  return new Promise((resolve) => {
    execFile("ssh", args, { timeout: 60_000, maxBuffer: 4 * 1024 * 1024 }, (error, _stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : 255;
      resolve({ code, stderr: stderr === "" && error !== null ? error.message : stderr });
    });
  });
}

/** Reads the two findings out of what ssh said. */
export function explainLogin({ code, stderr }: SshTry, target: SshTarget): Finding[] {
  const [, shown] = /Server host key: \S+ (SHA256:\S+)/.exec(stderr) ?? [];
  const expected = target.hostKeys.map((line) => fingerprint(parseAuthorizedKey(line)));
  if (/REMOTE HOST IDENTIFICATION HAS CHANGED|Host key verification failed/.test(stderr)) {
    const text = `the host shows ${shown ?? "another key"}, but the stack says ${expected.join(" or ")}; if the stack was changed, run drawbridge ssh-config again; otherwise somebody stands between you and it`;
    return [{ step: Step.hostKey, ok: false, text }];
  }
  if (code !== 0 && shown === undefined) {
    return [
      { step: Step.hostKey, ok: false, text: `ssh did not get as far as the host key: ${lastWords(stderr)}` },
    ];
  }
  const hostKey = { step: Step.hostKey, ok: true, text: shown ?? "" };
  if (code === 0) return [hostKey, { step: Step.login, ok: true, text: `as ${target.user}` }];
  return [hostKey, { step: Step.login, ok: false, text: explainRefusal(stderr, target) }];
}

function explainRefusal(stderr: string, { user }: SshTarget): string {
  const offered = [...stderr.matchAll(/Offering public key: (.*)/g)].map(([, key]) => key?.trim());
  if (/Too many authentication failures/.test(stderr)) {
    return `too many keys were offered; name one with drawbridge ssh-config --identity FILE (offered: ${offered.join("; ")})`;
  }
  if (!/Permission denied/.test(stderr)) return lastWords(stderr);
  const [, accepted] = /Server accepts key: (.*)/.exec(stderr) ?? [];
  if (accepted !== undefined) {
    return `${user} has the key ${accepted.trim()}, but its use takes a passphrase or a touch, and doctor asks for none; load it with ssh-add, or log in by hand`;
  }
  if (offered.length === 0) {
    return `this computer has no key to offer to ${user}; make one with ssh-keygen -t ed25519, or name yours with drawbridge ssh-config --identity FILE`;
  }
  return `${user} has none of the keys that were offered (${offered.join("; ")}); put the public key into its authorizedKeys, or, where the machine's own sshd answers, into its ~/.ssh/authorized_keys; or name the right one with drawbridge ssh-config --identity FILE`;
}

/** The last line that is not of ssh's own debugging. */
function lastWords(stderr: string): string {
  const lines = stderr
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "" && !/^debug\d|^Connection closed/.test(line));
  return lines.at(-1)?.trim() ?? "ssh said nothing";
}
