/** Stack files: what they may hold, read without Pulumi. */

export { namedFields } from "../ssh/people.ts";
export { withStorages } from "./complete.ts";
export { type LocatedFault, located, stackError } from "./fault.ts";
export { keyHolders, type TeamPeople, teamPeople } from "./people.ts";
export { checkStackConfig, readStack } from "./read.ts";
export type { PlatformOutputs, PlatformStack } from "./read-platform.ts";
export type { TeamStack } from "./read-team.ts";
export {
  componentSchemas,
  platformFileSchema,
  platformTeamSchema,
  standardNames,
  type TeamConfig,
  teamFileSchema,
} from "./schema.ts";
export { contentOf, type StackFile, stackFile, stackNamed } from "./stack-file.ts";
export { valueAt, withDefaults } from "./yaml.ts";
