import { describe, expect, it } from "vitest";
import { isHarmless, noBounds, parseBounds } from "./bounds.ts";

describe("an annotation", () => {
  it.each([
    "team",
    "checksum/config",
    "kubectl.kubernetes.io/restartedAt",
    "prometheus.io/port",
    "cluster-autoscaler.kubernetes.io/safe-to-evict",
    "karpenter.sh/do-not-disrupt",
    "pulumi.com/timeoutSeconds",
  ])("%s opens nothing", (name) => expect(isHarmless(name, noBounds)).toBe(true));

  // Networks, addresses, runtimes, devices, clouds, copies, public doors: each is read by someone.
  it.each([
    "k8s.v1.cni.cncf.io/networks",
    "networking.gke.io/interfaces",
    "cni.projectcalico.org/ipAddrsNoIpam",
    "io.katacontainers.config.hypervisor.path",
    "io.kubernetes.cri-o.Devices",
    "devices.nri.io/container.dev",
    "iam.amazonaws.com/role",
    "reflector.v1.k8s.emberstack.com/reflection-auto-enabled",
    "tailscale.com/expose",
    "metallb.io/address-pool",
    "service.beta.kubernetes.io/azure-pls-create",
    "service.cilium.io/global",
    "pulumi.com/patchForce",
    "prometheus.io/scrape/more",
    "a/checksum/b",
    "",
  ])("%s may open something", (name) => expect(isHarmless(name, noBounds)).toBe(false));

  it("opens nothing where the platform says so, by its name or its prefix", () => {
    const bounds = parseBounds({ annotations: ["cost.example.com", "example.com/team"] }, "bounds");
    const known = (name: string) => isHarmless(name, bounds);
    expect(["cost.example.com/center", "example.com/team"].map(known)).toEqual([true, true]);
    expect(["example.com/other", "x.cost.example.com/center"].map(known)).toEqual([false, false]);
  });
});

it("refuses a key of two people", () => {
  const key = `SHA256:${"A".repeat(43)}`;
  expect(() => parseBounds({ people: { alice: [key], bob: { keys: [key] } } }, "bounds")).toThrow(
    `people.bob: ${key} belongs to alice as well; set different keys for each person`,
  );
  expect(parseBounds({ people: { alice: [key, key] } }, "bounds").people).toEqual(new Map([[key, "alice"]]));
});

describe("a list of names", () => {
  it("takes names and maps", () => {
    const { providers, registries } = parseBounds(
      { providers: ["aws", { name: "acme", version: "1.0.0" }], registries: ["a.example.com"] },
      "bounds",
    );
    expect(providers).toEqual([{ name: "aws" }, { name: "acme", version: "1.0.0" }]);
    expect(registries).toEqual([{ name: "a.example.com", digest: false }]);
  });

  it.each([
    [
      { providers: [{ version: "1.0.0" }] },
      "providers.0: is neither a name nor a map of name, version, source",
    ],
    [{ providers: [1] }, "providers.0: is neither a name nor a map of name, version, source"],
    [{ registries: ["", "a"] }, "registries.0.name: Too small"],
    [{ registries: [{ name: "a", tag: "b" }] }, 'registries.0: Unrecognized key: "tag"'],
  ])("refuses %j", (bounds, says) => {
    expect(() => parseBounds(bounds, "bounds")).toThrow(says);
  });
});
