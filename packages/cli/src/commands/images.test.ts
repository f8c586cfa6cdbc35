import { publicImages } from "@drawbridge-iac/drawbridge/src/kubernetes/images";
import { expect, it } from "vitest";
import { images } from "./images.ts";

it("gives each image with its name in a registry, as a copying program reads them", () => {
  const pairs = images({ registry: "registry.example.com/team" }).split("\n");
  expect(pairs.map((line) => line.split(" "))).toEqual(
    [
      [expect.stringMatching(`^ghcr.io/.*/devcontainer:`), "devcontainer:0.1.0"],
      [expect.stringMatching(`^ghcr.io/.*/sshd-bundle:`), "sshd-bundle:0.1.0"],
      [expect.stringMatching(`^ghcr.io/.*/programs:`), "programs:0.1.0"],
      [`docker.io/${publicImages.frps}`, publicImages.frps.replace("fatedier/", "")],
      [`docker.io/${publicImages.frpc}`, publicImages.frpc.replace("fatedier/", "")],
      ["docker.io/sigoden/dufs:v0.47.0", "dufs:v0.47.0"],
      ["docker.io/envoyproxy/envoy:distroless-v1.40.0", "envoy:distroless-v1.40.0"],
    ].map(([from, to]) => [from, `registry.example.com/team/${to}`]),
  );
  expect(images({}).split("\n")).toEqual(pairs.map((line) => line.split(" ")[0]));
});

it("refuses what is no registry", () => {
  expect(() => images({ registry: "https://registry.example.com" })).toThrow(
    '"https://registry.example.com" is no registry; write it like registry.example.com/team, without https://',
  );
});
