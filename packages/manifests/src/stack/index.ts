/** Stack files: what they may hold, read without Pulumi. */

export { namedFields } from "../ssh/people.ts";
export { checkStackConfig } from "./check-file.ts";
export { withStorages } from "./complete.ts";
export { type LocatedFault, located, stackError } from "./fault.ts";
export { valueAt, withDefaults } from "./merge.ts";
export { keyHolders, type TeamPeople, teamPeople } from "./named-people.ts";
export type { PlatformOutputs } from "./platform-outputs.ts";
export { readStack } from "./read.ts";
export type { PlatformStack } from "./read-platform.ts";
export type { TeamStack } from "./read-team.ts";
export {
  componentSchemas,
  platformFileSchema,
  platformTeamSchema,
  type TeamConfig,
  teamFileSchema,
} from "./schema.ts";
export { type StackFile, stackFile, stackNamed } from "./stack-file.ts";
