/**
 * Which long files a change touches, and how they fit into groups: a test is touched by what it and its helpers import,
 * by the files and folders whose paths stand in them, and by the images that they name. What is a type alone is no part.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import ts from "typescript";
import { type RecipeName, recipeOf } from "../../packages/lab/src/images/recipes.ts";

/** The project's files, by their paths from its root. */
export interface Tree {
  readonly files: readonly string[];
  read(file: string): string;
}

/** What every long test runs in, or is run by. */
const common =
  /^(packages\/lab\/(src|package\.json|tools\/(?!durations))|scripts\/(run$|lab-tests\.ts|lib\/(own-lab|report)\.ts)|vitest\.config\.ts|package(-lock)?\.json)/;

/** What a container of the controllers' image runs stands in no path that a test has. */
const rooms: Readonly<Record<string, string>> = {
  "test/support/stacks/idle-stack.ts": "packages/controllers/src/idle/",
  "test/support/stacks/frp-stack.ts": "packages/controllers/src/frp-authorizer/",
  "test/support/stacks/egress-stack.ts": "packages/controllers/src/egress-authorizer/",
};

const library = "@drawbridge-iac/drawbridge";
const barrel = "packages/drawbridge/src/index.ts";
/** Read by people, made of what is looked at already, or tests themselves. */
const apart = /\.(test|test-d)\.ts$|^(CHANGELOG\.md|packages\/drawbridge\/schema\.json|scripts\/lib\/page-)/;

/** Neither the product nor the checks use the project's paths as a test does. */
const pathless = /^(packages\/.*\/src\/|scripts\/lib\/(pages\/|[\w-]+\.ts$))/;

/** Those of `tests` that one of the `changed` files reaches; all of them when it is one that all have in common. */
export function touches(tests: readonly string[], tree: Tree): (changed: readonly string[]) => string[] {
  const edgesOf = edgesIn(tree);
  const isUnitTest = (file: string) => file.endsWith(".test.ts") && !tests.includes(file);
  return (changed) => {
    const sought = new Set(changed.filter((file) => !isUnitTest(file)));
    if ([...sought].some((file) => common.test(file))) return [...tests];
    return tests.filter((test) => {
      const reached = new Set([test]);
      for (const file of reached) {
        if (sought.has(file)) return true;
        for (const next of edgesOf(file)) reached.add(next);
      }
      return false;
    });
  };
}

/** What a file uses of the tree, each file looked at once. */
function edgesIn({ files, read }: Tree): (file: string) => readonly string[] {
  const known = new Set(files);
  const below = (folder: string) => files.filter((file) => file.startsWith(folder) && !apart.test(file));
  const seen = new Map<string, readonly string[]>();
  const classes = new Map(
    [
      ...read("packages/drawbridge/src/generated/components.ts").matchAll(/\{ (.*) \} from "\.\.\/(.*)"/g),
    ].flatMap(([, names = "", file]) =>
      names.split(", ").map((name) => [name, `packages/drawbridge/src/${file}`] as const),
    ),
  );
  return (file) => {
    const found = seen.get(file) ?? uses(file);
    seen.set(file, found);
    return found;
  };

  function uses(file: string): string[] {
    // The barrel names every component: who imports it is asked which. The lab is in common.
    if (file === barrel || file.startsWith("packages/lab/") || !/\.(ts|js|sh)$/.test(file)) return [];
    const text = file.endsWith(".ts") ? withoutTypes(read(file)) : read(file);
    const imports = file.endsWith(".sh") ? [] : ts.preProcessFile(text, true, true).importedFiles;
    return [
      ...imports.flatMap(({ fileName }) => imported(fileName, file, text)),
      ...(pathless.test(file) ? [] : [...text.matchAll(paths)].flatMap(([path]) => named(path, file))),
      ...[...text.matchAll(/imageRef\("([\w-]+)"\)/g)].flatMap(([, name]) => imageFiles(name as RecipeName)),
      ...below(rooms[file] ?? "nothing"),
    ];
  }

  function imported(specifier: string, file: string, text: string): string[] {
    if (specifier.startsWith(".")) return [posix.join(posix.dirname(file), specifier)];
    if (specifier.startsWith(`${library}/src/`))
      return [`packages/drawbridge${specifier.slice(library.length)}.ts`];
    if (specifier === `${library}/stacks`) return ["packages/drawbridge/src/stacks/program/index.ts"];
    if (specifier !== library) return [];
    return [...classes].filter(([name]) => new RegExp(`\\b${name}\\b`).test(text)).map(([, of]) => of);
  }

  /** A path from the root or from the file; a part that is put in is any name, and before the rest it is the root. */
  function named(path: string, file: string): string[] {
    const fromRoot = path.replace(/^\$\{[^}]*\}\//, "");
    const places = fromRoot === path ? [path, posix.join(posix.dirname(file), path)] : [fromRoot];
    return places.flatMap((one) => {
      const place = posix.normalize(one).replace(/\/$/, "");
      if (known.has(place)) return apart.test(place) ? [] : [place];
      const [fixed = "", ...others] = place.split(/\$\{[^}]*\}/);
      const isFolder = /^[\w-]+\/[\w-]+/.test(one.startsWith("$") ? "" : fixed);
      // A whole package is what a release or a builder takes, not what a test is about.
      if (!isFolder || /^(packages\/\w+(\/src)?|test\/\w+)\/?$/.test(place)) return [];
      const end = others.at(-1);
      return below(end === undefined ? `${fixed}/` : fixed).filter((other) => other.endsWith(end ?? ""));
    });
  }

  function imageFiles(name: RecipeName): string[] {
    const { folder, sources = [], from = {} } = recipeOf(name);
    return [
      ...[folder, ...sources].flatMap((one) => below(`packages/${one}/`)),
      ...Object.values(from).flatMap(imageFiles),
    ];
  }
}

const paths = /(?:\$\{[^}\n]*\}|[\w@.-]+)(?:\/(?:\$\{[^}\n]*\}|[\w@.-]+)+)+\/?|[\w-]+\.(?:ts|sh|md)\b/g;

function withoutTypes(text: string): string {
  const compilerOptions = {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    removeComments: true,
  };
  return ts.transpileModule(text, { compilerOptions }).outputText;
}

/** What changed since a commit, in the working tree too; by default since the branch left main, or the last commit on main. */
export function changedFiles(since: string | undefined): string[] {
  const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8" }).trim();
  const left = () => {
    const base = git("merge-base", "HEAD", "main");
    return base === git("rev-parse", "HEAD") ? "HEAD~1" : base;
  };
  const tracked = git("diff", "--name-only", "--no-renames", since ?? left());
  return `${tracked}\n${git("ls-files", "--others", "--exclude-standard")}`.split("\n").filter(Boolean);
}

/** The project as it lies here. */
export function ownTree(): Tree {
  const list = ["ls-files", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", list, { encoding: "utf8" }).trim().split("\n");
  return { files: files.filter((file) => existsSync(file)), read: (file) => readFileSync(file, "utf8") };
}

export const longFiles = ({ files }: Tree) =>
  files.filter((file) => /^test\/(long|nodes|upgrades|machines)\/.*\.test\.ts$/.test(file));

/** Files of one folder that run one after the other. */
export interface Group {
  /** The folder below `test`, which is vitest's name for the project. */
  readonly project: string;
  readonly files: readonly string[];
  readonly milliseconds: number;
}

/** The longest first, each into the first group that has room. A file that is longer than the limit is a group of its own. */
export function groupsOf(
  files: readonly string[],
  durationOf: (file: string) => number,
  limit = 40 * 60_000,
): Group[] {
  const groups: Group[] = [];
  for (const file of files.toSorted((a, b) => durationOf(b) - durationOf(a))) {
    const project = file.split("/")[1] ?? "";
    const milliseconds = durationOf(file);
    const at = groups.findIndex((one) => one.project === project && one.milliseconds + milliseconds <= limit);
    const group = groups[at] ?? { project, files: [], milliseconds: 0 };
    const next = { project, files: [...group.files, file], milliseconds: group.milliseconds + milliseconds };
    groups.splice(at < 0 ? groups.length : at, 1, next);
  }
  return groups.toSorted((a, b) => order.indexOf(a.project) - order.indexOf(b.project));
}

const order = ["long", "nodes", "upgrades", "machines"];
