import { expect, it } from "vitest";
import { publicImages, registryFault, withRegistry } from "./images.ts";

const pods = (...images: unknown[]) => ({
  kind: "Deployment",
  spec: {
    replicas: 1,
    template: {
      spec: { initContainers: [{ image: images[0] }], containers: images.map((image) => ({ image })) },
    },
  },
});

it("takes the images that nobody named from the registry, and leaves the others", () => {
  const own = "registry.example.com/team/envoy:1";
  expect(
    withRegistry(pods(publicImages.dufs, own, publicImages.envoy, "auto"), "mirror.example.com/all"),
  ).toEqual(
    pods(
      "mirror.example.com/all/dufs:v0.47.0",
      own,
      "mirror.example.com/all/envoy:distroless-v1.40.0",
      "auto",
    ),
  );
});

it.each(["https://registry.example.com", "registry.example.com/", "a b", ""])(
  "takes no registry %j",
  (text) => {
    expect(registryFault(text)).toBe(
      `"${text}" is no registry; write it like registry.example.com/team, without https://`,
    );
  },
);

it("takes a registry with a port and a folder", () => {
  expect(registryFault("localhost:5000/team-a")).toBeUndefined();
});

it("leaves objects without pods", () => {
  const settings = { kind: "ConfigMap", data: { image: publicImages.dufs } };
  expect(withRegistry(settings, "mirror.example.com")).toBe(settings);
});
