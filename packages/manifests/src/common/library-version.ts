/** The version of the library. Components carry it in their inputs, so that a reader of a preview knows whose builders made it. */
import description from "../../package.json" with { type: "json" };

export const libraryVersion: string = description.version;
