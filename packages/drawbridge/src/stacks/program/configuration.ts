/** The configuration of the stack that runs, as Pulumi gives it. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { LineCounter, parse, parseDocument } from "yaml";
import { InvalidText } from "../../kit/fault.ts";
import { Secret } from "../../kit/secret.ts";
import { InvalidArgsError, mapped } from "../../kubernetes/registration/check-args.ts";
import { isConfigSecret } from "../../kubernetes/registration/register.ts";
import { located, type StackFault, stackError, yamlFault } from "../fault.ts";
import { readStack } from "../read.ts";
import type { PlatformOutputs, PlatformStack } from "../read-platform.ts";
import type { TeamStack } from "../read-team.ts";
import { asWritten } from "../secrets.ts";
import { type StackFile, stackFile } from "../stack-file.ts";
import { bounded, readYaml, valueAt } from "../yaml.ts";

/** @param folder the project's folder, where Pulumi.yaml is */
export async function readStackConfig(folder: string): Promise<PlatformStack | TeamStack> {
  const name = pulumi.getStack();
  try {
    return await readConfig(folder, name);
  } catch (error) {
    throw error instanceof InvalidText
      ? new InvalidArgsError(stackError(name, [yamlFault(error.message)]))
      : error;
  }
}

async function readConfig(folder: string, name: string): Promise<PlatformStack | TeamStack> {
  const file = openStackFile(folder, name);
  const elsewhere: StackFault[] = [];
  /** A value, parsed, its secrets marked: which they are, Pulumi says of whole values, and the file of their parts. */
  const configured = (key: string): unknown => {
    const text = pulumi.runtime.getConfig(key);
    if (text === undefined) return undefined;
    const value = bounded(parsed(text));
    if (!isConfigSecret(key)) return value;
    let isKnown = true;
    const marked = asWritten(value, valueAt(file?.config, [key]), () => (isKnown = false));
    if (!isKnown)
      elsewhere.push({
        path: [key],
        message: `holds secrets, and ${fileName(name)} does not say which; keep the configuration there as Pulumi reads it, each secret encrypted where it stands: pulumi config set --path --secret`,
      });
    return marked;
  };
  const seed = (key: string) => {
    const text = pulumi.runtime.getConfig(key);
    return text === undefined ? undefined : new Secret(text);
  };
  const values = {
    platform: configured("drawbridge:platform"),
    team: configured("drawbridge:team"),
    imageRegistry: configured("drawbridge:imageRegistry"),
    hostKeySeed: seed("drawbridge:hostKeySeed"),
    frpSeed: seed("drawbridge:frpSeed"),
    platformOutputs,
  };
  // What cannot be told from a secret is neither quoted nor used.
  const { stack, faults } =
    elsewhere.length > 0 ? { stack: undefined, faults: elsewhere } : await readStack(values, file);
  if (stack === undefined || faults.length > 0)
    throw new InvalidArgsError(stackError(name, located(faults, file)));
  return withOutputs(stack);
}

/** With Pulumi's own secrets, as components take them. */
export const withOutputs = <T>(stack: T): T =>
  mapped(stack, (leaf) => (leaf instanceof Secret ? pulumi.secret(leaf.reveal()) : leaf));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const fileName = (stack: string) => `Pulumi.${stack.split("/").at(-1)}.yaml`;

/** The file of the stack, of the project in `folder`; undefined where the configuration comes from elsewhere. */
function openStackFile(folder: string, stack: string): StackFile | undefined {
  const path = join(folder, configFolder(folder), fileName(stack));
  if (!existsSync(path)) return undefined;
  const lines = new LineCounter();
  return readYaml(readFileSync(path, "utf8"), (text) =>
    stackFile(parseDocument(text, { lineCounter: lines }), (position) => lines.linePos(position).line),
  );
}

/** Pulumi.yaml says in which folder the stacks' files are. */
function configFolder(folder: string): string {
  const project = join(folder, "Pulumi.yaml");
  if (!existsSync(project)) return ".";
  const settings = parse(readFileSync(project, "utf8")) as { stackConfigDir?: string } | null;
  return settings?.stackConfigDir ?? ".";
}

const outputNames = ["gateway", "frp", "egressGateway", "storageProxy", "teams", "people"] as const;

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
