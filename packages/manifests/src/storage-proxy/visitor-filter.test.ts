import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { parseArgs } from "../common/args-error.ts";
import { type StorageProxyInput, storageProxySchema } from "./args.ts";
import { gatewaySettings } from "./gateway.ts";
import { proxyNetworkPolicy } from "./network-policy.ts";
import { folderPage, folderPagePolicy } from "./page.ts";
import { type KnownStorageProxyPlan, planStorageProxy } from "./plan.ts";
import { routerConfig } from "./router-config.ts";
import { visitorFilter } from "./visitor-filter.ts";

const loadBalancer = { preset: "generic" } as const;
const plan = (args: Partial<StorageProxyInput> = {}) =>
  planStorageProxy(
    "files",
    parseArgs("StorageProxy", "files", storageProxySchema, { loadBalancer, ...args }),
  );

describe("the folder's page", () => {
  const parts = (name: string) =>
    [...folderPage.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, "gs"))].map(([, text]) => text ?? "");
  const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

  it("runs the one program and style that its policy names", () => {
    expect(parts("script").map((text) => `script-src ${hash(text)}`)).toEqual([
      folderPagePolicy.split("; ").find((directive) => directive.startsWith("script-src")),
    ]);
    expect(parts("style").map((text) => `style-src ${hash(text)}`)).toEqual([
      folderPagePolicy.split("; ").find((directive) => directive.startsWith("style-src")),
    ]);
    expect(folderPagePolicy.split("; ").map((directive) => directive.split(" ")[0])).toEqual([
      "default-src",
      "script-src",
      "style-src",
      "base-uri",
      "form-action",
      "frame-ancestors",
      "require-trusted-types-for",
      "trusted-types",
      "connect-src",
    ]);
    expect(folderPagePolicy).not.toMatch(/unsafe|\*/);
  });

  it("has no handler in its markup, and makes none of a name", () => {
    expect(folderPage).not.toMatch(/ on[a-z]+=|innerHTML|insertAdjacent|document\.write|eval\(/);
  });

  it("fits into the text that holds it", () => {
    expect(folderPage).not.toContain("]==]");
  });
});

describe("the filter", () => {
  it("is the first filter in both modes, and the same one", () => {
    const text = JSON.stringify(visitorFilter);
    expect(JSON.stringify(routerConfig(plan() as KnownStorageProxyPlan))).toContain(
      `"http_filters":[${text},`,
    );
    const { spec } = gatewaySettings(plan({ mode: "istio", dnsName: "files.example.com" })) as unknown as {
      spec: { configPatches: { applyTo: string; patch: { operation: string; value: unknown } }[] };
    };
    const [, filter] = spec.configPatches;
    expect([spec.configPatches.length, filter?.applyTo, filter?.patch.operation]).toEqual([
      2,
      "HTTP_FILTER",
      "INSERT_FIRST",
    ]);
    expect(JSON.stringify(filter?.patch.value)).toBe(text);
  });
});

describe("the proxy's way out", () => {
  const egress = (args: Partial<StorageProxyInput>) =>
    (proxyNetworkPolicy(plan(args)) as unknown as { spec: { policyTypes: string[]; egress: object[] } }).spec;
  const accessors = {
    to: [
      {
        namespaceSelector: {},
        podSelector: {
          matchLabels: { "app.kubernetes.io/component": "storage", "drawbridge.dev/role": "accessor" },
        },
      },
    ],
    ports: [{ port: 5000, protocol: "TCP" }],
  };
  const podsOf = (namespace: string, matchLabels: object) => ({
    namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
    podSelector: { matchLabels },
  });
  const dns = (...further: string[]) => ({
    to: [
      podsOf("kube-system", { "k8s-app": "kube-dns" }),
      ...["169.254.20.10/32", ...further].map((cidr) => ({ ipBlock: { cidr } })),
    ],
    ports: [
      { port: 53, protocol: "UDP" },
      { port: 53, protocol: "TCP" },
    ],
  });

  it("is accessors and DNS", () => {
    expect(egress({})).toEqual({
      podSelector: {
        matchLabels: {
          "app.kubernetes.io/component": "storage-proxy",
          "app.kubernetes.io/instance": "files",
        },
      },
      policyTypes: ["Egress"],
      egress: [accessors, dns()],
    });
  });

  it("is istiod too where it manages the proxy, and what is declared", () => {
    const declared = { dns: ["192.0.2.53/32"], istiod: ["192.0.2.1/32"] };
    expect(egress({ mode: "istio", dnsName: "files.example.com", egress: declared }).egress).toEqual([
      accessors,
      dns("192.0.2.53/32"),
      {
        to: [podsOf("istio-system", { app: "istiod" }), { ipBlock: { cidr: "192.0.2.1/32" } }],
        ports: [{ port: 15012, protocol: "TCP" }],
      },
    ]);
  });
});
