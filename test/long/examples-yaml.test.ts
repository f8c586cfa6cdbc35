/** Every example in Pulumi YAML plans what the TypeScript program beside it plans. */
import { planTheSame, writtenInYaml } from "../support/pages/yaml.ts";

planTheSame(writtenInYaml);
