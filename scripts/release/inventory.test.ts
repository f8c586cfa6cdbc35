import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { debianComponents, document } from "./inventory.ts";

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
