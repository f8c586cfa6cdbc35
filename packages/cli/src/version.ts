/** The version of this package. The bundle has it inside, so it is right in the single executable too. */
import description from "../package.json" with { type: "json" };

export const version = description.version;
