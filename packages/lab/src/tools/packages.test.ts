import { expect, it } from "vitest";
import { missingPackages } from "./packages.ts";

it("takes a package as installed only in that state, with or without an architecture in its name", () => {
  const listing = "libseccomp-dev:amd64 installed\nnftables config-files\ngcc installed\n";
  expect(missingPackages(["gcc", "libseccomp-dev", "nftables", "tini"], listing)).toEqual([
    "nftables",
    "tini",
  ]);
});
