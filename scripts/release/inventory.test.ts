import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { debianComponents, document, npmComponents } from "./inventory.ts";

it("lists the installed packages of a Debian system, and none that were removed", () => {
  const folder = mkdtempSync(join(tmpdir(), "drawbridge-status-"));
  const file = join(folder, "status");
  writeFileSync(
    file,
    "Package: git\nStatus: install ok installed\nVersion: 1:2.47.3-0+deb13u1\n\nPackage: gone\nStatus: deinstall ok config-files\nVersion: 1\n\n",
  );
  const components = debianComponents(file, "amd64");
  rmSync(folder, { recursive: true });
  const purl = "pkg:deb/debian/git@1%3A2.47.3-0%2Bdeb13u1?arch=amd64";
  expect(components).toEqual([{ type: "library", name: "git", version: "1:2.47.3-0+deb13u1", purl }]);
  expect(JSON.parse(document("devcontainer", "0.1.0", components))).toEqual({
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { component: { type: "container", name: "devcontainer", version: "0.1.0" } },
    components,
  });
});

it("follows a lock file from what is published, to the copies that Node would load", () => {
  const locked = {
    "": { version: "1.0.0" },
    "packages/cli": {
      version: "1.0.0",
      dependencies: { "@ours/core": "1.0.0", one: "^1" },
      devDependencies: { tool: "1" },
    },
    "packages/core": { version: "1.0.0", dependencies: { two: "^2" } },
    "node_modules/@ours/core": { version: "1.0.0", link: true, resolved: "packages/core" },
    "node_modules/one": {
      version: "1.1.0",
      dependencies: { two: "^1" },
      optionalDependencies: { absent: "1" },
    },
    "node_modules/one/node_modules/two": { version: "1.5.0" },
    "node_modules/two": { version: "2.0.0" },
    "node_modules/tool": { version: "1.0.0" },
  };
  expect(npmComponents(locked, ["packages/cli"]).map(({ purl }) => purl)).toEqual([
    "pkg:npm/one@1.1.0",
    "pkg:npm/two@1.5.0",
    "pkg:npm/two@2.0.0",
  ]);
});
