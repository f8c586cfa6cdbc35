import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSshpodHost, type SshpodHost, sshpodHostName } from "./sshpod-host.ts";

describe("parseSshpodHost", () => {
  it.each<[string, SshpodHost]>([
    ["pod--my-pod.sshpod", { kind: "pod", name: "my-pod" }],
    ["pod--my-pod.namespace--default.sshpod", { kind: "pod", name: "my-pod", namespace: "default" }],
    [
      "deployment--web.namespace--app.context--dev.sshpod",
      { kind: "deployment", name: "web", namespace: "app", context: "dev" },
    ],
    [
      "job--batch.namespace--etl.context--dev.sshpod",
      { kind: "job", name: "batch", namespace: "etl", context: "dev" },
    ],
    [
      "container--sidecar.pod--debug.namespace--tools.context--dev.sshpod",
      { kind: "pod", name: "debug", container: "sidecar", namespace: "tools", context: "dev" },
    ],
    ["namespace--a.pod--b.SSHPOD", { kind: "pod", name: "b", namespace: "a" }],
    ["pod--web.v2.namespace--a.sshpod", { kind: "pod", name: "web.v2", namespace: "a" }],
    ["pod--a--b.sshpod", { kind: "pod", name: "a--b" }],
    [
      "pod--a.context--arn:aws:eks:eu-1:1:cluster/x.y.sshpod",
      { kind: "pod", name: "a", context: "arn:aws:eks:eu-1:1:cluster/x.y" },
    ],
  ])("reads %s", (host, expected) => {
    expect(parseSshpodHost(host)).toEqual(expected);
  });

  it.each([
    ["pod--x", "does not end in .sshpod"],
    ["namespace--x.sshpod", "names neither a pod nor a deployment nor a job"],
    ["pod--x.job--y.sshpod", "names pod and job, of which there can be one"],
    ["pod--x.pod--y.sshpod", "says pod-- twice"],
    [
      "web.pod--x.sshpod",
      'has "web" where pod--, deployment--, job--, container--, namespace--, context-- could be',
    ],
    ["pod--.sshpod", 'has "" after pod--, which is not a name'],
    ["pod--../secrets.sshpod", 'has "../secrets" after pod--, which is not a name'],
    ["pod--Web.sshpod", 'has "Web" after pod--, which is not a name'],
    ["pod--x.namespace--a.b.sshpod", 'has "a.b" after namespace--, which is not a name'],
    ["pod--x.context--a b.sshpod", 'has "a b" after context--, which is not a name'],
    ["pod--x.context--*.sshpod", 'has "*" after context--, which is not a name'],
    ["pod--x.context--a,b.sshpod", 'has "a,b" after context--, which is not a name'],
    ["pod--x.context--a\nb.sshpod", 'has "a\\nb" after context--, which is not a name'],
    ["pod--x.container--%2e.sshpod", 'has "%2e" after container--, which is not a name'],
    [`pod--${"a".repeat(254)}.sshpod`, `has "${"a".repeat(254)}" after pod--, which is not a name`],
  ])("refuses %s", (host, fault) => {
    expect(() => parseSshpodHost(host)).toThrow(
      `the host name ${JSON.stringify(host)} ${fault}; write it like pod--NAME.namespace--NAMESPACE.sshpod, with deployment-- or job-- in place of pod--, and container--NAME. or context--NAME. where needed`,
    );
  });

  it("takes apart every name that sshpodHostName puts together", () => {
    const label = fc.stringMatching(/^[a-z]([a-z0-9]{0,8}[a-z0-9])?$/);
    const optional = fc.option(label, { nil: undefined });
    const host = fc.record({
      kind: fc.constantFrom("pod" as const, "deployment" as const, "job" as const),
      name: label,
      container: optional,
      namespace: optional,
      context: optional,
    });
    fc.assert(
      fc.property(host, (given) => {
        const wanted = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
        expect(parseSshpodHost(sshpodHostName(wanted as unknown as SshpodHost))).toEqual(wanted);
      }),
    );
  });

  it("is never made of parts that would be taken apart otherwise", () => {
    for (const host of [
      { kind: "pod", name: "a.context--prod" },
      { kind: "pod", name: "a.namespace--kube-system" },
      { kind: "pod", name: "a.namespace--kube-system", namespace: "team-a" },
      { kind: "job", name: "a.container--b", namespace: "team-a" },
      { kind: "pod", name: "a", context: "b.namespace--kube-system" },
      { kind: "pod", name: "a.pod--b" },
      { kind: "pod", name: "a", namespace: "a.context--prod" },
    ] as const)
      expect(() => sshpodHostName(host)).toThrow();
    const odd = { kind: "pod", name: "pod--a.b", namespace: "context--prod" } as const;
    expect(parseSshpodHost(sshpodHostName(odd))).toEqual(odd);
  });
});
