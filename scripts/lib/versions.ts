/**
 * The version, from one place: the root's package.json. Packages name it, and so do the tags of the project's images
 * wherever a text or a stack file shows one.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, normalize } from "node:path";

const images = ["devcontainer", "extended", "containers", "sshd-bundle", "frps", "frpc", "programs", "dufs"];

/** Where people read or copy an image's tag. */
const texts = [
  "README.md",
  "docs/**/*.md",
  "examples/**/*.{md,ts,yml,sh}",
  "starter/*.yaml",
  "stacks/*.yaml",
  "packages/*/README.md",
  "packages/images/**/Dockerfile",
  "packages/drawbridge/src/*/component.ts",
  "packages/drawbridge/src/kubernetes/images.ts",
];

/** Tags of our images (`0.1.0-cuda` is a variant), and names of executables, SDKs and sources. */
const tagged = new RegExp(
  `(/(?:${images.join("|")}):|drawbridge-v?|(?:drawbridge|plugin)@v|/tree/v)(\\d+\\.\\d+\\.\\d+)`,
  "g",
);

interface PackageJson {
  readonly name: string;
  version?: string;
  dependencies?: Record<string, string>;
  bin?: Record<string, string>;
}

const read = (file: string): PackageJson => JSON.parse(readFileSync(file, "utf8"));

const packageFiles = () => globSync("{packages/*,examples/*,plugin,stacks,starter}/package.json").sort();
const textFiles = () => texts.flatMap((pattern) => globSync(pattern)).filter(isOurs);
const isOurs = (file: string) => !file.includes("node_modules") && !file.includes("/dist/");

export function projectVersion(): string {
  const { version } = read("package.json");
  if (version === undefined) throw new Error("package.json has no version");
  return version;
}

/** Commands of packages that the lock file knows otherwise: `npm ci` in a clone would link them to nothing. */
export function commandFaults(): string[] {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    packages: Record<string, PackageJson>;
  };
  return packageFiles().flatMap((file) =>
    Object.entries(read(file).bin ?? {}).flatMap(([command, path]) => {
      const locked = packages[dirname(file)]?.bin?.[command];
      const wanted = normalize(path);
      return locked === wanted ? [] : [`package-lock.json: ${command} is ${locked}, in ${file} ${wanted}`];
    }),
  );
}

/** What names another version than the root's package.json. */
export function versionFaults(): string[] {
  const version = projectVersion();
  const wrong: string[] = [];
  for (const file of packageFiles()) {
    const described = read(file);
    if (described.version !== version) wrong.push(`${file}: version ${described.version} is not ${version}`);
    for (const [name, wanted] of Object.entries(described.dependencies ?? {})) {
      if (name.startsWith("@drawbridge-iac/") && wanted !== version)
        wrong.push(`${file}: ${name} ${wanted} is not ${version}`);
    }
  }
  for (const file of textFiles()) {
    for (const [line, text] of readFileSync(file, "utf8").split("\n").entries()) {
      for (const match of text.matchAll(tagged)) {
        if (match[2] !== version)
          wrong.push(`${file}:${line + 1}: ${match[0].replace(/^\//, "")} is not ${version}`);
      }
    }
  }
  if (
    !new RegExp(`^## ${version.replaceAll(".", "\\.")}( |$)`, "m").test(readFileSync("CHANGELOG.md", "utf8"))
  )
    wrong.push(`CHANGELOG.md: there is no heading "## ${version}"`);
  return wrong;
}

/** Writes another version everywhere but into CHANGELOG.md, whose words are people's. */
export function setVersion(version: string): void {
  for (const file of ["package.json", ...packageFiles()]) {
    const described = read(file);
    described.version = version;
    for (const name of Object.keys(described.dependencies ?? {})) {
      if (name.startsWith("@drawbridge-iac/"))
        described.dependencies = { ...described.dependencies, [name]: version };
    }
    writeFileSync(file, `${JSON.stringify(described, null, 2)}\n`);
  }
  for (const file of textFiles()) {
    const before = readFileSync(file, "utf8");
    const after = before.replaceAll(tagged, `$1${version}`);
    if (after !== before) writeFileSync(file, after);
  }
}
