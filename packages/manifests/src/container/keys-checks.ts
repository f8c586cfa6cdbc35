/** Who may log in and by which key the host is known: checks for every sshd of ours. */
import { isEmpty, known } from "../common/placed.ts";
import type { RaiseFault } from "../common/schema.ts";
import { duplicateKeys } from "../ssh/authorized-keys.ts";
import type { DevContainerParsed } from "./args.ts";

type Keyed = Partial<Pick<DevContainerParsed, "authorizedKeys" | "userCa" | "hostKey">> & {
  readonly ssh?: { readonly mode?: string } | undefined;
  readonly access?: Pick<DevContainerParsed["access"], "frp"> | undefined;
};

/** `ssh.mode` is that of a container; a sshd that is put into a pod has none. */
export function checkKeys({ ssh, authorizedKeys, userCa, hostKey, access }: Keyed, fault: RaiseFault): void {
  for (const [first, second] of duplicateKeys(known(authorizedKeys) ?? [])) {
    fault(["authorizedKeys", second], "key-twice", { first });
  }
  const none = ssh?.mode === "none";
  const throughFrp = access?.frp?.enabled === false ? [] : (access?.frp?.authorizedKeys ?? []);
  if (!none && isEmpty(authorizedKeys ?? []) && isEmpty(throughFrp) && userCa === undefined) {
    fault(["authorizedKeys"], "no-authorized-key");
  }
  if (!none && hostKey === undefined) {
    fault(["hostKey"], "host-key-missing");
  }
  if (hostKey !== undefined && (hostKey.seed === undefined) === (hostKey.privateKey === undefined)) {
    fault(["hostKey"], "host-key-sources");
  }
  const next = hostKey?.next;
  if (next !== undefined && (next.seed === undefined) === (next.privateKey === undefined)) {
    fault(["hostKey", "next"], "host-key-sources");
  }
}
