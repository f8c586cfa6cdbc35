/** The release's notes: the version's part of CHANGELOG.md, and how to install what lies beside them. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../lib/published.ts";
import { goArchive, goModule, wheelFile } from "./sdks.ts";

/** What stands under the heading of a version. */
export function changesOf(changelog: string, version: string): string {
  const parts = changelog.split(/^## /m).slice(1);
  const own = parts.find((part) => part.split("\n")[0]?.split(" ")[0] === version);
  if (own === undefined) throw new Error(`CHANGELOG.md has no heading "## ${version}"`);
  return own.slice(own.indexOf("\n")).trim();
}

/** A row for each image: its name in a registry, and the digest that it has in every one. */
export function imageRows(folder: string, version: string): string[] {
  const archives = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".oci.tar")) : [];
  return archives.sort().map((archive) => {
    const [name, architecture] = archive.replace(".oci.tar", "").split(`-${version}-linux-`);
    const index = run("tar", ["-xOf", join(folder, archive), "index.json"]);
    const { manifests } = JSON.parse(index) as { manifests: [{ digest: string }] };
    const tag = architecture === "amd64" ? version : `${version}-${architecture}`;
    return `| \`${name}:${tag}\` | \`${manifests[0].digest}\` |`;
  });
}

/** @param images the folder of the archives */
export function writeNotes(file: string, version: string, images: string): void {
  const changes = changesOf(readFileSync("CHANGELOG.md", "utf8"), version);
  writeFileSync(
    file,
    `${changes}

## Install

\`\`\`sh
npm install @drawbridge-iac/drawbridge@${version}          # the components
npm install --global @drawbridge-iac/cli@${version}        # the drawbridge command, for Node 22.18 or newer
\`\`\`

For programs in other languages: \`${wheelFile(version)}\` (Python) and \`${goArchive(version)}\` (the Go module
\`${goModule}\`), with the plugin that \`npm install --global @drawbridge-iac/drawbridge@${version}\` brings.

Without Node: \`drawbridge-${version}-linux-x64\`, \`-linux-arm64\` or \`-win-x64.exe\` is the whole command in one file.

## Images

| image | digest |
|---|---|
${imageRows(images, version).join("\n")}

\`drawbridge images\` lists these and others' that a cluster pulls. Each is an OCI archive of this release too:
\`skopeo copy --preserve-digests oci-archive:devcontainer-${version}-linux-amd64.oci.tar docker://registry.example.com/devcontainer:${version}\`.

## Check it

\`sha256sum --check --ignore-missing SHA256SUMS\` checks what you downloaded. \`drawbridge-${version}.cdx.json\` lists the npm
packages inside; each image has a list of its own beside it.
`,
  );
}
