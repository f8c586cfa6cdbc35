import * as pulumi from "@pulumi/pulumi";
import { readStackConfig } from "./configuration.ts";
import { platform } from "./platform.ts";
import { team } from "./team.ts";

/**
 * Makes one stack, the platform or a team, as its configuration says. Returns the stack's outputs.
 * @param folder the project's folder, so that a fault names its line in the stack's file
 */
export async function program(
  folder = pulumi.getRootDirectory() || process.cwd(),
): Promise<Record<string, unknown>> {
  const config = await readStackConfig(folder);
  return config.kind === "platform" ? platform(config) : team(config);
}
