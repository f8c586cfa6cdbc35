/**
 * Where the project is public, as `owner/name` on GitHub: `repository` of the root's package.json, which the owner sets
 * before the first release. Pages and Go programs that name the address follow it; tests give one of their own.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";

const texts = [
  "README.md",
  "docs/**/*.md",
  "examples/*/go/main.go",
  "test/programs/languages/*.go",
  "packages/drawbridge/src/kubernetes/images.ts",
];

/** What stands in the texts until it is set. */
const unset = "drawbridge-iac/drawbridge";

const description = () => JSON.parse(readFileSync("package.json", "utf8")) as { repository?: string };

export function repository(): string | undefined {
  return process.env.DRAWBRIDGE_REPOSITORY ?? description().repository?.replace("github:", "");
}

/** The address as the texts have it. */
export const writtenRepository = () => repository() ?? unset;

/**
 * Why npm would refuse a release, or nothing.
 * @param here the repository whose workflow makes it, and which its provenance names
 */
export function repositoryFault(
  own = repository(),
  here = process.env.GITHUB_REPOSITORY,
): string | undefined {
  const set = "run npm run release -- --set-repository";
  if (own === undefined)
    return `package.json names no repository, and npm takes no provenance without; ${set} OWNER/NAME`;
  if (here === undefined || here === own) return undefined;
  return `package.json names the repository ${own}, and npm's provenance would name ${here}; ${set} ${here}`;
}

/** Writes the address into package.json and wherever a text names it. */
export function setRepository(next: string): void {
  const before = writtenRepository();
  const described = { ...description(), repository: `github:${next}` };
  writeFileSync("package.json", `${JSON.stringify(described, null, 2)}\n`);
  for (const file of texts.flatMap((pattern) => globSync(pattern))) {
    const text = readFileSync(file, "utf8");
    const after = text.replaceAll(new RegExp(`(?<=github\\.com|ghcr\\.io)/${before}`, "g"), `/${next}`);
    if (after !== text) writeFileSync(file, after);
  }
}
