import { expect, it } from "vitest";
import { changesOf } from "./notes.ts";

const changelog =
  "# Changelog\n\nWords.\n\n## 0.2.0 (2027-01-01)\n\n### Added\n\n- two\n\n## 0.1.0\n\nThe first.\n";

it("takes what stands under a version's heading, and no more", () => {
  expect(changesOf(changelog, "0.2.0")).toBe("### Added\n\n- two");
  expect(changesOf(changelog, "0.1.0")).toBe("The first.");
});

it("does not publish a version of which nothing is said", () => {
  expect(() => changesOf(changelog, "0.2")).toThrow('CHANGELOG.md has no heading "## 0.2"');
});
