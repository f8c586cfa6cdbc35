import * as pulumi from "@pulumi/pulumi";
import { platform } from "./platform.ts";
import { readStackConfig } from "./read.ts";
import { team } from "./team.ts";

/**
 * One stack: the platform, or a team, by what its YAML file holds. Returns the stack's outputs.
 * @param folder the project's, for the lines of faults in the file
 */
export async function program(
  folder = pulumi.getRootDirectory() || process.cwd(),
): Promise<Record<string, unknown>> {
  const config = await readStackConfig(folder);
  return config.kind === "platform" ? platform(config) : team(config);
}
