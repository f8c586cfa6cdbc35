/** The configuration of the stack that runs, as Pulumi gives it. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { LineCounter, parse, parseDocument } from "yaml";
import { InvalidArgsError } from "../../kubernetes/registration/check-args.ts";
import { located, stackError } from "../fault.ts";
import { readStack } from "../read.ts";
import type { PlatformOutputs, PlatformStack } from "../read-platform.ts";
import type { TeamStack } from "../read-team.ts";
import { type StackFile, stackFile } from "../stack-file.ts";
import { withFewAliases } from "../yaml.ts";

/** @param folder the project's folder, where Pulumi.yaml is */
export async function readStackConfig(folder: string): Promise<PlatformStack | TeamStack> {
  const name = pulumi.getStack();
  const file = openStackFile(folder, name);
  const values = {
    platform: configured("platform"),
    team: configured("team"),
    hostKeySeed: pulumi.runtime.getConfig("drawbridge:hostKeySeed"),
    frpSeed: pulumi.runtime.getConfig("drawbridge:frpSeed"),
    platformOutputs,
  };
  const { stack, faults } = await readStack(values, file);
  if (faults.length > 0) throw new InvalidArgsError(stackError(name, located(faults, file)));
  return stack;
}

/** A configuration value, parsed, its secrets decrypted; the components mark them as secret again. */
function configured(key: string): unknown {
  const text = pulumi.runtime.getConfig(`drawbridge:${key}`);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** `Pulumi.<stack>.yaml` of the project in `folder`; undefined where the configuration comes from elsewhere. */
function openStackFile(folder: string, stack: string): StackFile | undefined {
  const path = join(folder, configFolder(folder), `Pulumi.${stack.split("/").at(-1)}.yaml`);
  if (!existsSync(path)) return undefined;
  const lines = new LineCounter();
  const document = parseDocument(withFewAliases(readFileSync(path, "utf8")), { lineCounter: lines });
  return stackFile(document, (position) => lines.linePos(position).line);
}

/** Pulumi.yaml says in which folder the stacks' files are. */
function configFolder(folder: string): string {
  const project = join(folder, "Pulumi.yaml");
  if (!existsSync(project)) return ".";
  const settings = parse(readFileSync(project, "utf8")) as { stackConfigDir?: string } | null;
  return settings?.stackConfigDir ?? ".";
}

const outputNames = ["gateway", "frp", "storageProxy", "teams", "people"] as const;

/**
 * Plain values, not Outputs: a team's resources must be known before any of them is registered.
 * A stack that does not exist ends the program with Pulumi's own message, `unknown stack`.
 */
export async function platformOutputs(stack: string): Promise<PlatformOutputs> {
  const reference = new pulumi.StackReference(stack);
  const found = await Promise.all(
    outputNames.map(async (name) => [name, (await reference.getOutputDetails(name)).value] as const),
  );
  return Object.fromEntries(found.filter(([, value]) => value !== undefined && value !== null));
}
