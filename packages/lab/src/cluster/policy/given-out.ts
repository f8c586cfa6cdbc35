import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Where a node keeps which of its addresses it gave to whom: below /run, so it forgets them with its pods. */
export const givenOutFolder = "/run/drawbridge-lab/given-out";

/** An address that a pod is about to have. */
export interface GivenOut {
  readonly address: string;
  readonly uid: string;
}

/** Milliseconds after a question in which it is noticed: more than file systems round by. */
const lately = 100;

/** What the network plugins of a node asked about, and what they were answered. */
export class Desk {
  readonly #folder: string;
  readonly #looking: NodeJS.Timeout;

  /** @param asked called after each question, a few times */
  constructor(folder: string, asked: () => void) {
    this.#folder = folder;
    for (const name of ["asked", "governed"]) mkdirSync(join(folder, name), { recursive: true });
    // Not told by the kernel: it gives out few watches, and kubelets and containerd want them.
    const look = () => {
      if (Date.now() - statSync(join(folder, "asked")).mtimeMs < lately) asked();
    };
    this.#looking = setInterval(look, 20);
  }

  /** Everything that was asked since the node's start: whose pod is gone stays here until another one has the address. */
  get all(): GivenOut[] {
    return readdirSync(join(this.#folder, "asked")).map((address) => ({
      address,
      uid: this.#read("asked", address),
    }));
  }

  /** Those of them who have no answer yet. */
  waiting(asked: readonly GivenOut[]): GivenOut[] {
    return asked.filter(({ address, uid }) => this.#read("governed", address) !== uid);
  }

  /** Says that the rules in force know of these. */
  answer(known: readonly GivenOut[]): void {
    for (const { address, uid } of known) writeFileSync(join(this.#folder, "governed", address), uid);
  }

  close(): void {
    clearInterval(this.#looking);
  }

  #read(folder: string, address: string): string {
    const file = join(this.#folder, folder, address);
    return existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  }
}

/**
 * A plugin for addresses: takes one from `host-local` beside it, and gives it out when the enforcer of NetworkPolicy says
 * that its rules are in force. So no pod has an address before that. Without an answer the pod is not started, and kubelet
 * tries again.
 * @param folder see `givenOutFolder`
 */
export const addressPlugin = (folder: string, limitSeconds = 20): string => `#!/bin/sh
set -eu
own=$(dirname "$0")
[ "$CNI_COMMAND" = ADD ] || exec "$own/host-local"
result=$("$own/host-local")
address=$(printf '%s' "$result" | tr -d '\\n' | sed 's|.*"address": *"\\([0-9.]*\\)/.*|\\1|')
uid=$(printf '%s' "$CNI_ARGS" | sed 's|.*K8S_POD_UID=\\([^;]*\\).*|\\1|')
# Written beside and moved, so that nobody reads half of it.
printf '%s' "$uid" > "${folder}/$address.new"
mv "${folder}/$address.new" "${folder}/asked/$address"
tries=0
until [ "$(cat "${folder}/governed/$address" 2>/dev/null)" = "$uid" ]; do
  tries=$((tries + 1))
  if [ $tries -gt ${limitSeconds * 50} ]; then
    printf '{"cniVersion": "1.0.0", "code": 11, "msg": "no NetworkPolicy is in force for %s yet"}' "$address"
    exit 1
  fi
  sleep 0.02
done
printf '%s' "$result"
`;
