/** The folders of the examples that are Pulumi programs. */
import { readdirSync } from "node:fs";

export const exampleNames = readdirSync("examples", { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "ci")
  .map(({ name }) => name)
  .sort();
