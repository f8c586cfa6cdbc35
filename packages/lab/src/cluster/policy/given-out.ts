import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { filled } from "@drawbridge-iac/manifests/program";
import { addressPluginSh } from "../../made/programs.ts";

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
export const addressPlugin = (folder: string, limitSeconds = 20): string =>
  filled(addressPluginSh, { FOLDER: folder, TRIES: limitSeconds * 50 });
