import { describe, expect, it } from "vitest";
import { deriveEgressToken } from "../host/egress/token.ts";
import { deriveFrpToken } from "../host/frpc/token.ts";
import type { DevContainerInput } from "./args.ts";
import { faultsOf, objectsOf, seed } from "./plan.fixture.ts";

const gateway = { name: "egress", namespace: "out" };
const byName = (more: object = {}) => ({
  egress: { gateway, hosts: ["pypi.org", "git.example.com:22"] },
  ...more,
});
const objects = (args: Partial<DevContainerInput> = byName()) =>
  objectsOf(args, { egress: { token: "the-token", tokenSha256: "00ff" } });

function variables(args?: Partial<DevContainerInput>): Record<string, unknown> {
  const { spec } = objects(args).workload.manifest;
  const [container] = (
    spec as unknown as { template: { spec: { containers: { env: { name: string }[] }[] } } }
  ).template.spec.containers;
  return Object.fromEntries((container?.env ?? []).map(({ name, ...source }) => [name, source]));
}

describe("what the authorizer may know", () => {
  it("is the hash and the hosts, of this container alone", () => {
    const { "egress-grant": grant, "egress-grant-role": role, "egress-grant-binding": binding } = objects();
    expect(grant?.manifest).toMatchObject({
      metadata: { name: "egress-grant.dev1", namespace: "team-a" },
      data: { tokenSha256: "00ff", hosts: "pypi.org\ngit.example.com:22\n", podName: "dev1-0" },
    });
    expect(role?.manifest).toMatchObject({
      rules: [
        { resources: ["configmaps"], resourceNames: ["egress-grant.dev1"], verbs: ["get", "watch"] },
        { resources: ["pods"], resourceNames: ["dev1-0"], verbs: ["get"] },
      ],
    });
    expect(binding?.manifest).toMatchObject({
      subjects: [{ kind: "ServiceAccount", name: "egress", namespace: "out" }],
    });
  });

  it("is nothing of a container that reaches no host by name", () => {
    expect(Object.keys(objects({})).filter((key) => key.startsWith("egress"))).toEqual([]);
  });
});

it("the token is for this container and this purpose alone", () => {
  const [own, other, frp] = [
    deriveEgressToken(seed, "team-a/dev1"),
    deriveEgressToken(seed, "team-a/dev2"),
    deriveFrpToken(seed, "team-a/dev1"),
  ];
  expect(new Set([own, other, frp]).size).toBe(3);
});

describe("the environment", () => {
  const proxy = { value: "http://team-a.dev1:$(DRAWBRIDGE_EGRESS_TOKEN)@egress.out.svc.cluster.local:3128" };
  it("names the proxy in both spellings, and the token in no pod", () => {
    const env = variables(byName({ proxy: { except: [".corp.example"] } }));
    const noProxy = { value: "localhost,127.0.0.1,.svc,.cluster.local,.corp.example" };
    expect(env).toMatchObject({
      DRAWBRIDGE_EGRESS_TOKEN: { valueFrom: { secretKeyRef: { name: "dev1-egress", key: "token" } } },
      ...{ HTTP_PROXY: proxy, http_proxy: proxy, HTTPS_PROXY: proxy, https_proxy: proxy },
      ...{ NO_PROXY: noProxy, no_proxy: noProxy, NODE_USE_ENV_PROXY: { value: "1" } },
    });
    expect(JSON.stringify(objects().workload)).not.toContain("the-token");
    // The kubelet expands a variable that stands before.
    expect(Object.keys(env)[0]).toBe("DRAWBRIDGE_EGRESS_TOKEN");
  });

  it("is in Maven's settings as well, but for the token", () => {
    const { "egress-files": files } = objects(byName({ proxy: { except: [".corp.example"] } }));
    const { manifest } = files || expect.fail("no files");
    const { data } = manifest as { data?: Record<string, string> };
    const lines = (data?.["maven.xml"] ?? "").split("\n").map((line) => line.trim());
    expect(
      lines.filter((line) => /^<(host|port|username|password|nonProxyHosts|blocked)>/.test(line)),
    ).toEqual([
      "<host>egress.out.svc.cluster.local</host>",
      "<port>3128</port>",
      "<username>team-a.dev1</username>",
      "<password>${env.DRAWBRIDGE_EGRESS_TOKEN}</password>",
      "<nonProxyHosts>localhost|127.0.0.1|*.svc|*.cluster.local|*.corp.example</nonProxyHosts>",
      "<blocked>true</blocked>",
    ]);
    expect(variables()).toMatchObject({ MAVEN_ARGS: { value: "-gs /etc/drawbridge/egress/maven.xml" } });
  });

  it("leaves what somebody declared, and private networks without the proxy", () => {
    const env = variables({
      egress: { gateway, hosts: [], allow: [{ cidr: "10.20.0.0/16" }] },
      env: { HTTPS_PROXY: "http://own:1" },
    });
    expect([env.HTTPS_PROXY, env.https_proxy, env.NO_PROXY]).toEqual([
      { value: "http://own:1" },
      proxy,
      { value: "localhost,127.0.0.1,.svc,.cluster.local,10.20.0.0/16" },
    ]);
  });
});

it.each([
  [byName(), []],
  [{ egress: { gateway, hosts: [] } }, []],
  [{ egress: { hosts: ["pypi.org"] } }, ["egress.gateway: is missing"]],
  [{ egress: { gateway } }, ["egress.gateway: has no effect without hosts"]],
  [byName({ proxy: { http: "http://proxy:3128" } }), ["proxy: is beside egress.hosts"]],
  [byName({ hostKey: undefined, ssh: { mode: "none" } }), ["hostKey: is missing"]],
  [
    { egress: { gateway, hosts: ["pypi.org", "https://pypi.org/", "PyPI.org"] } },
    ['egress.hosts[1]: "https://pypi.org/" is no host', 'egress.hosts[2]: "PyPI.org" is no host'],
  ],
  [
    { egress: { gateway, hosts: ["*.co.uk", "*.com:443", "*.example.co.uk", "*.githubusercontent.com"] } },
    [
      'egress.hosts[0]: "*.co.uk" is every name of a registry, which anybody can have',
      'egress.hosts[1]: "*.com:443" is every name of a registry, which anybody can have',
    ],
  ],
])("of %j the faults are %j", (args, expected) => {
  const faults = faultsOf(args as Partial<DevContainerInput>);
  expect(faults).toEqual(expected.map((fault) => expect.stringContaining(fault)));
});

it.each([
  [10_000, 98, []],
  [10_001, 20, ["egress.hosts: are more than 10000"]],
  [10_000, 100, ["egress.hosts: have 1010000 characters in all"]],
])("of %d hosts of %d characters the faults are %j", (count, length, expected) => {
  const end = `.${"x.".repeat(100)}`.slice(0, length - 14) + ".example";
  const hosts = Array.from({ length: count }, (_, index) => `${String(index).padStart(6, "a")}${end}`);
  const faults = faultsOf({ egress: { gateway, hosts } });
  expect(faults).toEqual(expected.map((fault) => expect.stringContaining(fault)));
});
