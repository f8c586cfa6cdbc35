import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { filled } from "@drawbridge-iac/drawbridge/src/kit/program";
import { addressPluginSh } from "../../generated/programs.ts";
import { lookEveryMs } from "../nodes/plan.ts";

/** Where a node notes which pod has which address: below /run, so that the notes go with the pods. */
export const givenOutFolder = "/run/drawbridge-lab/given-out";

/** An address that a pod is about to have. */
export interface GivenOut {
  readonly address: string;
  readonly uid: string;
}

/** How many looks a question counts as new for: longer than file systems round times by. */
const newForLooks = 5;

/** The questions of a node's network plugins, each about a pod's address, and the answers to them. */
export class Desk {
  readonly #folder: string;
  readonly #looking: NodeJS.Timeout;

  /**
   * @param onQuestion called after each question, a few times
   * @param everyMs how often it looks for new ones
   */
  constructor(folder: string, onQuestion: () => void, everyMs = lookEveryMs()) {
    this.#folder = folder;
    for (const name of ["asked", "governed"]) mkdirSync(join(folder, name), { recursive: true });
    // Polled: the kernel has few file watches to give, and kubelets and containerd want them.
    const look = () => {
      if (Date.now() - statSync(join(folder, "asked")).mtimeMs < everyMs * newForLooks) onQuestion();
    };
    this.#looking = setInterval(look, everyMs);
  }

  /** All questions since the node's start. That of a pod which is gone stays until another pod has its address. */
  get all(): GivenOut[] {
    return readdirSync(join(this.#folder, "asked")).map((address) => ({
      address,
      uid: this.#read("asked", address),
    }));
  }

  /** The questions among these that have no answer yet. */
  waiting(asked: readonly GivenOut[]): GivenOut[] {
    return asked.filter(({ address, uid }) => this.#read("governed", address) !== uid);
  }

  /** Answers these: the rules in force know the pods. */
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
 * @param everyMs how often it looks for the answer
 */
export const addressPlugin = (folder: string, limitSeconds = 20, everyMs = lookEveryMs()): string =>
  filled(addressPluginSh, { FOLDER: folder, TRIES: (limitSeconds * 1000) / everyMs, PAUSE: everyMs / 1000 });
