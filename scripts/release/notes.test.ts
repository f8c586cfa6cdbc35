import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { changesOf, imageRows } from "./notes.ts";

const changelog =
  "# Changelog\n\nWords.\n\n## 0.2.0 (2027-01-01)\n\n### Added\n\n- two\n\n## 0.1.0\n\nThe first.\n";

it("takes what stands under a version's heading, and no more", () => {
  expect(changesOf(changelog, "0.2.0")).toBe("### Added\n\n- two");
  expect(changesOf(changelog, "0.1.0")).toBe("The first.");
});

it("does not publish a version of which nothing is said", () => {
  expect(() => changesOf(changelog, "0.2")).toThrow('CHANGELOG.md has no heading "## 0.2"');
});

it("names each image as a registry has it, with its digest", () => {
  const folder = mkdtempSync(join(tmpdir(), "drawbridge-notes-"));
  try {
    for (const [place, name] of ["sshd-bundle-0.2.0-linux-arm64", "frps-0.2.0-linux-amd64"].entries()) {
      writeFileSync(
        join(folder, "index.json"),
        JSON.stringify({ manifests: [{ digest: `sha256:${place}` }] }),
      );
      execFileSync("tar", ["-cf", join(folder, `${name}.oci.tar`), "-C", folder, "index.json"]);
    }
    const rows = ["| `frps:0.2.0` | `sha256:1` |", "| `sshd-bundle:0.2.0-arm64` | `sha256:0` |"];
    expect(imageRows(folder, "0.2.0")).toEqual(rows);
    expect(imageRows(join(folder, "none"), "0.2.0")).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
