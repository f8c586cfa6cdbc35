/** The library's version. Components carry it in their inputs: by it the guard knows whose builders made a preview. */
import description from "../../package.json" with { type: "json" };

export const libraryVersion: string = description.version;
