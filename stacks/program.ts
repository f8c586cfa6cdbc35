import { readStackConfig } from "./config/read.ts";
import { platform } from "./platform.ts";
import { team } from "./team.ts";

/** One stack: the platform, or a team, by what its YAML file holds. Returns the stack's outputs. */
export function program(): Record<string, unknown> {
  const config = readStackConfig();
  return config.kind === "platform" ? platform(config) : team(config);
}
