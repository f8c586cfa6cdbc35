/**
 * `npm run generate`: writes all that is made of the programs, of the arguments' schemas and of records, and the records of
 * the arguments' names.
 */
import { writePrograms } from "./programs.ts";

// All else reads the builders, which do not load without their programs.
writePrograms();
const { writeGenerated, writeInterfaces } = await import("./lib/generated.ts");
const { pluginSchema } = await import("./lib/plugin-schema.ts");
const { growRecords } = await import("./lib/records.ts");

// Pulumi's analyzer reads the classes with the interfaces of their arguments.
writeInterfaces();
const schema = pluginSchema();
writeGenerated(schema);
growRecords(schema);
