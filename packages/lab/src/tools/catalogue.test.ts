import { describe, expect, it } from "vitest";
import { type Family, toolFamilies, toolNames } from "./catalogue.ts";
import { buildArguments, builtName, fileName } from "./go.ts";
import { toolVersions } from "./index.ts";
import { readModuleFile } from "./module-files.ts";
import { parseGoMod } from "./versions.ts";

const families: readonly Family[] = Object.values(toolFamilies);
const goFamilies = families.filter((family) => family.kind === "go");
const modules = [...new Set(goFamilies.map((family) => family.module))];

describe("the catalogue", () => {
  it("names every tool once and says its version", () => {
    expect(new Set(toolNames).size).toBe(toolNames.length);
    expect(Object.keys(toolVersions())).toEqual(toolNames);
    expect(toolVersions()).toMatchObject({
      etcd: "v3.6.8",
      kubelet: "v1.36.3",
      kubectl: "v1.36.3",
      "cni-portmap": "v1.9.1",
      pulumi: "v3.246.0",
      "pulumi-resource-kubernetes": "v4.0.0-20260115033456-f47bc2d6f199",
      "pulumi-language-yaml": "v1.38.1",
      "agent-sandbox-controller": "v0.2.1",
      coredns: "v1.14.1",
      envoy: "v1.40.0",
      dufs: "v0.47.0",
      "previous-kubelet": "v1.35.4",
    });
  });

  it.each(modules)("%s: its go.mod pins exactly the packages that are built", (module) => {
    const pinned = [...readModuleFile(module, "go.mod").matchAll(/^(?:tool |\t)([^\s()]+)$/gm)].map(
      (m) => m[1],
    );
    const built = goFamilies
      .filter((f) => f.module === module)
      .flatMap((f) => Object.values(f.packages))
      .filter((path) => !path.startsWith("drawbridge.local/"));
    expect(pinned.sort()).toEqual(built.sort());
  });
});

describe("buildArguments", () => {
  it("stamps Kubernetes' version, strips paths and symbols", () => {
    const versions = parseGoMod(readModuleFile("shared", "go.mod"));
    const at = "k8s.io/component-base/version";
    expect(buildArguments(toolFamilies.kubectl, versions)).toEqual([
      "build",
      "-trimpath",
      "-buildvcs=false",
      "-ldflags",
      `-s -w -X ${at}.gitVersion=v1.36.3 -X ${at}.gitMajor=1 -X ${at}.gitMinor=36`,
    ]);
  });

  it("joins build tags", () => {
    const versions = parseGoMod(readModuleFile("shared", "go.mod"));
    expect(buildArguments(toolFamilies.frp, versions).slice(-2)).toEqual(["-tags", "noweb"]);
  });
});

describe("file names", () => {
  it("are what `go build` makes, without a major version", () => {
    expect(builtName("go.etcd.io/etcd/server/v3")).toBe("server");
    expect(builtName("k8s.io/kubernetes/cmd/kubelet")).toBe("kubelet");
  });

  it("are the program's own, for CNI's plugins and older programs too", () => {
    const tools = ["cni-host-local", "previous-kubelet", "etcd"];
    expect(tools.map(fileName)).toEqual(["host-local", "kubelet", "etcd"]);
  });
});
