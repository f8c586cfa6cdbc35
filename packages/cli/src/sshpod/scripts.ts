/**
 * The shell text that runs inside the target container. It needs nothing of the image but `sh`, `cat`, `ls`, `mkdir`,
 * `mv`, `chmod` and `uname`; the bundle's own busybox does the rest where the image cannot.
 *
 * Layout in the container, for the uid that exec gives:
 *   /tmp/sshpod-<uid>/bundle-<hash>/bin/…        OpenSSH and busybox, shared by all sessions of this uid
 *   /tmp/sshpod-<uid>/<session>/live             "<port> <pid>" of the sshd for one laptop key and user
 *
 * Other users may work in the same container, so a name alone does not make anything ours. The folder must be one that
 * only this uid could have made and filled: not a link, owned by this uid, writable by nobody else, and in a place where
 * nobody else can rename it. From then on nobody else can change what it holds, so looking first and using it afterwards
 * is safe. Where someone else has taken the name, a second one is used that only this laptop knows.
 */
import { filled } from "@drawbridge-iac/drawbridge/src/kit/program";
import { placeBusyboxSh, probeSh, startSh, unpackSh, unpackWithBusyboxSh } from "../generated/programs.ts";

const cannotRun = "programs in /tmp cannot be run (mounted noexec, or the archive is for another machine)";

// Each script's file says what it does and which arguments it takes.
export const probeScript = compact(probeSh);
export const unpackScript = compact(filled(unpackSh, { CANNOT_RUN: cannotRun }));
export const placeBusyboxScript = compact(placeBusyboxSh);
export const unpackWithBusyboxScript = compact(filled(unpackWithBusyboxSh, { CANNOT_RUN: cannotRun }));
export const startScript = compact(startSh);

/** Without comments and indentation, since the whole script is part of a URL. */
function compact(script: string): string {
  return script.replace(/^[ \t]+/gm, "").replace(/^(#.*)?\n/gm, "");
}

/** The `KEY VALUE` lines that a script printed. A key that comes twice keeps all values, joined by a blank. */
export function readAnswers(output: string): Map<string, string> {
  const answers = new Map<string, string>();
  for (const line of output.split("\n")) {
    const at = line.indexOf(" ");
    if (at < 1) continue;
    const key = line.slice(0, at);
    const value = line.slice(at + 1).trim();
    const before = answers.get(key);
    answers.set(key, before === undefined ? value : `${before} ${value}`);
  }
  return answers;
}
