import { describe, expect, it } from "vitest";
import { ArgsError, issuesFrom, parseArgs, readArgs } from "./kit/args-error.ts";
import { whatIsWrong } from "./kit/faults.fixture.ts";
import type { Tried } from "./kit/trials.fixture.ts";
import { registry } from "./registry.ts";

/** Components for which the logical name stands, each with the arguments that its trials start from. */
const components = new Map(
  await Promise.all(
    registry
      .filter(({ title }) => title !== "TeamMembers")
      .map(async ({ title, folder, args: schema }) => {
        const hasTrials = title !== "CertManager";
        const trials: Record<string, Tried> = hasTrials ? await import(`./${folder}/args.trials.ts`) : {};
        const { name: _, ...args } = trials[title]?.base("it") ?? {};
        return [title as string, { schema: schema as Parameters<typeof parseArgs>[2], args }] as const;
      }),
  ),
);

const check = (component: string, logicalName: string, more: object = {}) => {
  const { schema, args } = components.get(component)!;
  const result = readArgs(schema, logicalName, { ...args, ...more });
  return (result.success ? [] : issuesFrom(result.faults)).map((issue) => {
    const [byDefault] = /\w+ is not set, and its default is .*$/.exec(issue.message) ?? [];
    return `${issue.path}: ${byDefault ?? whatIsWrong(issue)}`;
  });
};

describe.each(Object.keys(components))("the logical name of a %s", (component) => {
  const field = component === "Team" ? "namespace" : "name";

  it("is checked where it is the default", () => {
    expect(check(component, "dev-1")).toEqual([]);
    for (const odd of ["Dev_1", "it's", "Team A", "a".repeat(64)]) {
      expect(check(component, odd)).toEqual([
        `${field}: ${field} is not set, and its default is the component's logical name`,
      ]);
    }
  });

  it("may be anything where another name is given", () => {
    expect(check(component, "Team A", { [field]: "dev-1" })).toEqual([]);
  });
});

describe("a namespace that takes its name from a component", () => {
  it.each(["SshGateway", "FrpServer", "StorageProxy"])("is none of the cluster's own: %s", (component) => {
    const refused = (by: string) => [`namespace: namespace is not set, and its default is ${by}`];
    expect(check(component, "kube-system")).toEqual(refused("the component's logical name"));
    expect(check(component, "x", { name: "kube-system" })).toEqual(refused("name"));
    expect(check(component, "kube-system", { namespace: "own" })).toEqual([]);
    expect(check(component, "x", { namespace: "kube-system" })).toEqual([
      'namespace: "kube-system" belongs to the cluster itself',
    ]);
  });

  it("is refused for a Team", () => {
    expect(check("Team", "kube-system")).toEqual([
      "namespace: namespace is not set, and its default is the component's logical name",
    ]);
  });

  it("is not that of a gateway which stands elsewhere", () => {
    const existing = { namespace: "istio-ingress", selector: { istio: "ingressgateway" } };
    expect(check("SshGateway", "kube-gateway", { existing, loadBalancer: undefined })).toEqual([]);
  });
});

describe("what is said", () => {
  it("names the default, what is allowed and what to give", () => {
    const { schema, args } = components.get("SshGateway")!;
    const make = () => parseArgs("SshGateway", "it's", schema, args);
    expect(make).toThrow(ArgsError);
    expect(make).toThrow(
      'name: "it\'s" is not usable as a Service name; use at most 63 lower-case letters, digits and inner hyphens, ' +
        "starting with a letter; name is not set, and its default is the component's logical name",
    );
    expect(() => parseArgs("SshGateway", "x", schema, { ...args, name: "kube-system" })).toThrow(
      /namespace: "kube-system" belongs to the cluster itself.*; namespace is not set, and its default is name$/,
    );
  });

  it("comes once: not beside a misspelt name, or one that is wrong itself", () => {
    expect(check("SshGateway", "Team A", { nmae: "ssh" })).toEqual([': unknown key "nmae"']);
    expect(check("SshGateway", "x", { name: "Team A" })).toEqual([
      'name: "Team A" is not usable as a Service name',
    ]);
    expect(check("SshGateway", "Team A", { replicas: 0 })).toEqual([
      "name: name is not set, and its default is the component's logical name",
      "replicas: 0 is out of range",
    ]);
  });
});

it("a container's name leaves room for the label of its StatefulSet's pods", () => {
  expect(check("DevContainer", "a".repeat(52))).toEqual([]);
  expect(check("DevContainer", "a".repeat(53))).toEqual([
    "name: name is not set, and its default is the component's logical name",
  ]);
  expect(check("DevContainer", "x", { name: "a".repeat(53) })).toEqual([
    'name: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" is not usable as a container\'s name',
  ]);
});
