/** Checks for every sshd of ours: who may log in, and by which key the host is known. */
import type { z } from "zod";
import { isEmpty, known, type PlacedList } from "../common/placed.ts";
import type { RaiseFault } from "../common/schema.ts";
import type { FrpAccessParsed } from "../frpc/args.ts";
import { duplicateKeys } from "../ssh/authorized-keys.ts";
import type { hostKeySchema } from "./args.ts";

/** The arguments that are looked at. */
interface Keyed {
  readonly ssh?: { readonly mode?: string } | undefined;
  readonly authorizedKeys?: PlacedList<string>;
  readonly userCa?: unknown;
  readonly hostKey?: z.output<typeof hostKeySchema> | undefined;
  readonly access?: { readonly frp?: Partial<FrpAccessParsed> | undefined } | undefined;
}

/** Only a container has `ssh.mode`; an injected sshd has none. */
export function checkKeys({ ssh, authorizedKeys, userCa, hostKey, access }: Keyed, fault: RaiseFault): void {
  for (const [first, second] of duplicateKeys(known(authorizedKeys) ?? [])) {
    fault(["authorizedKeys", second], "key-twice", { first });
  }
  const none = ssh?.mode === "none";
  const throughFrp = access?.frp?.enabled === false ? [] : (access?.frp?.authorizedKeys ?? []);
  if (!none && isEmpty(authorizedKeys ?? []) && isEmpty(throughFrp) && userCa === undefined) {
    fault(["authorizedKeys"], "no-authorized-key");
  }
  if (!none && hostKey === undefined) fault(["hostKey"], "host-key-missing");
  if (hostKey !== undefined && (hostKey.seed === undefined) === (hostKey.privateKey === undefined)) {
    fault(["hostKey"], "host-key-sources");
  }
  const next = hostKey?.next;
  if (next !== undefined && (next.seed === undefined) === (next.privateKey === undefined)) {
    fault(["hostKey", "next"], "host-key-sources");
  }
}
