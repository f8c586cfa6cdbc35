/** Pulumi's own analyzer reads the components, so that programs in other languages can use them. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";

interface Property {
  readonly type?: string;
  readonly $ref?: string;
  readonly optional?: boolean;
}

interface Analysis {
  readonly components: Record<
    string,
    { readonly inputs: Record<string, Property>; readonly outputs: Record<string, Property> }
  >;
  readonly typeDefinitions: Record<string, unknown>;
}

interface AnalyzerClass {
  new (folder: string, name: string, packageJson: unknown, components: Set<string>): { analyze(): Analysis };
}

const folder = join(process.cwd(), "packages/components");
const components = [
  "DevContainer",
  "FrpServer",
  "RootNamespace",
  "SshGateway",
  "StorageAccessor",
  "StorageProxy",
];
let found: Analysis;

beforeAll(() => {
  const require = createRequire(join(folder, "package.json"));
  const { Analyzer } = require("@pulumi/pulumi/provider/experimental/analyzer.js") as {
    Analyzer: AnalyzerClass;
  };
  const described = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  found = new Analyzer(folder, "drawbridge", described, new Set(components)).analyze();
});

describe("the multi-language analyzer", () => {
  it("accepts every component", () => {
    expect(Object.keys(found.components).sort()).toEqual(components);
  });

  it("finds as outputs what the docs name, and no resource or provider among them", () => {
    const outputs = Object.fromEntries(
      Object.entries(found.components).map(([name, one]) => [name, Object.keys(one.outputs).sort()]),
    );
    expect(outputs).toEqual({
      DevContainer: [
        "frpCommand",
        "homeClaim",
        "hostName",
        "hostPublicKey",
        "knownHosts",
        "podName",
        "sshCommand",
        "sshConfig",
        "sshTarget",
        "status",
        "url",
      ],
      FrpServer: ["caBundle", "connectHost", "metricsPassword", "namespace"],
      RootNamespace: ["namespace"],
      SshGateway: ["address", "caBundle", "endpoints", "namespace"],
      StorageAccessor: ["claimName", "state", "storageTarget", "url"],
      StorageProxy: ["address", "namespace"],
    });
  });

  it("types every argument but what is as in a Kubernetes object", () => {
    const types = found.typeDefinitions as Record<string, { properties?: Record<string, unknown> }>;
    const groups = [
      ...Object.entries(found.components).map(([name, { inputs }]) => [name, inputs] as const),
      ...Object.entries(types).map(([name, { properties }]) => [name, properties ?? {}] as const),
    ];
    const untyped = groups.flatMap(([group, properties]) =>
      Object.entries(properties).flatMap(([name, property]) =>
        JSON.stringify(property).includes("pulumi.json#/Any") ? [`${group}.${name}`] : [],
      ),
    );
    const of = (group: string, names: readonly string[]) => names.map((name) => `${group}.${name}`);
    const patches =
      "workload service home persist disruption network authorizedKeys hostKey sshd route sshpod sshpodBinding";
    expect(untyped.sort()).toEqual(
      [
        ...of("DevContainerPodVolumeArgs", ["csi", "ephemeral", "emptyDir", "projected", "downwardAPI"]),
        ...of("DevContainerSidecarArgs", ["startupProbe", "livenessProbe", "readinessProbe"]),
        ...of("DevContainerPatchesArgs", patches.split(" ")),
      ].sort(),
    );
  });
});
