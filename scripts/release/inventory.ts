/** What is inside a release, in CycloneDX: npm's packages, and Debian's in each image. */
import { readFileSync, writeFileSync } from "node:fs";
import { publishedPackages, run } from "../lib/published.ts";

export interface Component {
  readonly type: "library";
  readonly name: string;
  readonly version: string;
  readonly purl: string;
}

/** The packages that the published ones bring, those that are bundled into the command among them. */
export function makeSbom(file: string): Promise<void> {
  const workspaces = publishedPackages.flatMap((name) => ["--workspace", `packages/${name}`]);
  const text = run("npm", [
    "sbom",
    "--sbom-format",
    "cyclonedx",
    "--omit",
    "dev",
    "--omit",
    "peer",
    ...workspaces,
  ]);
  writeFileSync(file, text);
  return Promise.resolve();
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

/** A CycloneDX document about one image. */
export function document(name: string, version: string, components: readonly Component[]): string {
  const subject = { type: "container", name, version };
  return `${JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.5", version: 1, metadata: { component: subject }, components }, null, 2)}\n`;
}
