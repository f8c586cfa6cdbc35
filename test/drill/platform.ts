/**
 * What a drill is run against, on three nodes: a gateway of two proxies, three teams with sessions, an frp server that
 * one of them is reached through as well, and a storage of another.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { labLayout } from "@drawbridge-iac/lab";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { testStack, valuesOf } from "../../scripts/lib/engine/engine.ts";
import { kubectl, Laptop } from "../../scripts/lib/lab/lab.ts";
import { lab } from "../support/lab/nodes.ts";
import { Guests } from "./guests.ts";
import { program, type Variation } from "./program.ts";
import { repair } from "./repair.ts";
import { doors, teams } from "./teams.ts";

export interface Platform {
  readonly laptop: Laptop;
  /** Another person, whose keys change. */
  readonly guests: Guests;
  /** The gateway's. */
  readonly address: string;
  /** Where the storage is written and read, see `writer`. */
  readonly storageUrl: string;
  readonly stack: Stack;
  /** What the stack gives out, by name, as `pulumi stack output --json` has it. */
  readonly outputs: Readonly<Record<string, unknown>>;
  /** Folder of the stack's state. */
  readonly backend: string;
  /** Changes the program before the next `up`. */
  vary(change: Partial<Variation>): void;
  close(): Promise<void>;
}

/**
 * Makes it all and waits until each door lets someone in.
 * @param kept whether it stays when it is closed, for a later drill in the same lab, which then takes it up
 */
export async function makePlatform({ kept }: { kept: boolean }): Promise<Platform> {
  const folder = join(labLayout(lab).root, "drill");
  const state = join(folder, "state");
  if (kept) await mkdir(state, { recursive: true });
  const laptop = await Laptop.create("drill", kept ? join(folder, "laptop") : undefined);
  const guests = await Guests.create();
  let variation: Variation = { guests: [guests.now.publicKey], extra: false };
  const made = await testStack(
    async () => program(laptop.publicKey, variation),
    kept ? { backend: state } : {},
  );
  const { stack, backend, removeState } = made;
  const close = async () => {
    if (!kept) {
      await stack.destroy();
      await kubectl(["delete", "namespace", ...teams, "--ignore-not-found"]);
      await Promise.all([removeState(), laptop.remove()]);
    }
    await guests.remove();
  };
  try {
    if (kept) {
      // The drill before may have been killed at any moment.
      await stack.cancel();
      await repair();
    }
    const outputs = valuesOf((await stack.up({ refresh: kept })).outputs);
    const text = (name: string) => outputs[name] as string;
    await laptop.configure(text("sshConfig"), text("knownHosts"));
    await guests.configure(text("sshConfig"), text("knownHosts"));
    for (const { host } of doors) await laptop.login(host, "true", 120);
    const vary = (change: Partial<Variation>) => {
      variation = { ...variation, ...change };
    };
    const places = { address: text("address"), storageUrl: text("storageUrl") };
    return { laptop, guests, ...places, outputs, stack, backend, vary, close };
  } catch (error) {
    await close();
    throw error;
  }
}
