/** The release's notes: the version's part of CHANGELOG.md, and how to install what lies beside them. */
import { readFileSync, writeFileSync } from "node:fs";
import { goArchive, goModule, wheelFile } from "./sdk-names.ts";

/** What stands under the heading of a version. */
export function changesOf(changelog: string, version: string): string {
  const parts = changelog.split(/^## /m).slice(1);
  const own = parts.find((part) => part.split("\n")[0]?.split(" ")[0] === version);
  if (own === undefined) throw new Error(`CHANGELOG.md has no heading "## ${version}"`);
  return own.slice(own.indexOf("\n")).trim();
}

export function writeNotes(file: string, version: string): void {
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

The images are OCI archives: \`skopeo copy oci-archive:devcontainer-${version}-linux-amd64.oci.tar docker://registry.example.com/devcontainer:${version}\`.

\`sha256sum --check --ignore-missing SHA256SUMS\` checks what you downloaded. \`drawbridge-${version}.cdx.json\` lists the npm
packages inside; each image has a list of its own beside it.
`,
  );
}
