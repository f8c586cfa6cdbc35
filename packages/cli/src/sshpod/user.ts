import { CliError } from "../cli-error.ts";
import type { Place } from "./pod.ts";

const noLogin = /(^|\/)(nologin|false|true|sync|halt|shutdown)$/;

/**
 * Whether sshd in the container can log this user in. sshd runs with the uid of the container, so unless that
 * is root it can only become itself. A uid to which the image gives no name or no shell may use any name not taken.
 */
export function checkUser(place: Place, user: string, probed: ReadonlyMap<string, string>): void {
  const uid = probed.get("uid") ?? "";
  const requestedUid = probed.get("requested");
  const owner = probed.get("owner");
  const shell = probed.get("shell") ?? "";
  const where = `container ${place.container} of pod ${place.namespace}/${place.pod}`;
  if (!/^[A-Za-z_][A-Za-z0-9_.-]{0,31}$/.test(user)) {
    throw new CliError(
      `${JSON.stringify(user)} is not a user name; use letters, digits, _, . and -, at most 32, not starting with a digit`,
    );
  }
  if (requestedUid === uid && !noLogin.test(shell)) return;
  if (requestedUid !== undefined && uid === "0") return;
  if (owner === undefined || noLogin.test(shell)) {
    if (requestedUid === undefined) return;
    throw new CliError(
      `${where} runs as uid ${uid}, which has no login of its own there, and ${user} cannot log in; use a name that its /etc/passwd does not have, for example: ssh dev@…`,
    );
  }
  throw new CliError(
    `${where} runs as ${owner} (uid ${uid}), so ${user} cannot log in; use: ssh ${owner}@… or "User ${owner}" in your ssh_config`,
  );
}
