/** A person whose key is changed again and again: the key that counts now, and those that counted before. */
import { Laptop } from "../../scripts/lib/lab/lab.ts";

export interface Former {
  readonly laptop: Laptop;
  /** When it was taken away, in milliseconds as `Date.now()` has them. */
  readonly since: number;
}

export class Guests {
  now: Laptop;
  /** The newest first. */
  readonly former: Former[] = [];
  #config: readonly [sshConfig: string, knownHosts: string] = ["", ""];

  private constructor(now: Laptop) {
    this.now = now;
  }

  static async create(): Promise<Guests> {
    return new Guests(await Laptop.create("guest"));
  }

  async configure(...config: readonly [sshConfig: string, knownHosts: string]): Promise<void> {
    this.#config = config;
    await this.now.configure(...config);
  }

  /** A laptop with another key; it counts from `change` on. */
  async next(): Promise<Laptop> {
    const laptop = await Laptop.create("guest");
    await laptop.configure(...this.#config);
    return laptop;
  }

  /** From now on the key of `laptop` counts, and the one before does not. */
  change(laptop: Laptop): void {
    this.former.unshift({ laptop: this.now, since: Date.now() });
    this.now = laptop;
  }

  async remove(): Promise<void> {
    await Promise.all([this.now, ...this.former.map((one) => one.laptop)].map((laptop) => laptop.remove()));
  }
}
