import { describe, expect, it } from "vitest";
import { aliceKey, gateway, seed } from "../dev-container/plan.fixture.ts";
import { connectPart } from "../host/egress/connect.ts";
import { egressNetworkPolicy } from "../host/egress/objects.ts";
import { frpcPart } from "../host/frpc/part.ts";
import { bundlePart } from "../host/sshd/bundle.ts";
import { sshdVolumes } from "../host/sshd/volumes.ts";
import { parseArgs } from "../kit/args-error.ts";
import { cases, faultsFrom } from "../kit/faults.fixture.ts";
import { joinParts } from "../kubernetes/pod.ts";
import type { InjectedSshdInput, PodTemplate } from "./args.ts";
import { injectedSshdSchema, ownMountPaths, ownNames } from "./args-checks.ts";
import { planInjectedSshd } from "./plan.ts";
import { templateWithSshd } from "./template.ts";

const app = { name: "app", image: "registry.example.com/app:1" };
const required = {
  namespace: "team-a",
  podTemplate: { spec: { containers: [app] } },
  ssh: { image: "registry.example.com/sshd-bundle:1" },
  authorizedKeys: [aliceKey],
  hostKey: { seed },
  access: { gateway },
} satisfies InjectedSshdInput;

const frp = { external: { serverAddr: "frp.example.com", unverifiedTls: true, domain: "frp.example.com" } };
const throughFrp = { frp: { ...frp, address: "frp.example.com", token: "x".repeat(32) } };

const byName = {
  podName: "nb-0",
  egress: { gateway: { name: "egress", namespace: "out" }, hosts: ["pypi.org"] },
};

const parsed = (args: Record<string, unknown>) =>
  parseArgs("InjectedSshd", "nb", injectedSshdSchema, { ...required, ...args });

const planOf = (args: Partial<InjectedSshdInput> = {}) => planInjectedSshd("nb", parsed(args));

/** The template with the sshd in it. */
const made = (template: PodTemplate, args: Partial<InjectedSshdInput> = {}) =>
  templateWithSshd(planOf({ ...args, podTemplate: template as Record<string, unknown> }), template, "marks");

const faultsOf = (args: Record<string, unknown>) => faultsFrom(() => parsed(args)).sort();

/** An Output has every property, each of them an Output too. */
const lifted = Object.assign(Promise.resolve({ preStop: {} }), { postStart: Promise.resolve(undefined) });

const withSpec = (spec: object) => ({ podTemplate: { spec: { containers: [app], ...spec } } });
const withApp = (more: object) => withSpec({ containers: [{ ...app, ...more }] });

describe("the template", () => {
  it("keeps everything that was in it", () => {
    const template = {
      metadata: { labels: { app: "nb" }, annotations: { note: "mine" } },
      spec: {
        serviceAccountName: "nb",
        securityContext: { fsGroup: 100, supplementalGroups: [4] },
        initContainers: [{ name: "first", image: "busybox:1" }],
        containers: [
          { name: "proxy", image: "proxy:1" },
          {
            ...app,
            command: ["run"],
            ports: [{ containerPort: 8888 }],
            readinessProbe: { httpGet: { port: 8888 } },
            lifecycle: { preStop: { exec: { command: ["sync"] } } },
            volumeMounts: [{ name: "home", mountPath: "/home/jovyan" }],
          },
        ],
        volumes: [{ name: "home", persistentVolumeClaim: { claimName: "home" } }],
      },
    };
    const { metadata, spec } = made(template as PodTemplate, { containerName: "app" });
    expect(metadata.labels).toEqual({ app: "nb", "drawbridge.dev/sshd": "nb" });
    expect(metadata.annotations).toMatchObject({ note: "mine", "drawbridge.dev/ssh-port": "2222" });
    expect(spec).toMatchObject({ serviceAccountName: "nb", securityContext: template.spec.securityContext });
    const [proxy, target] = spec.containers;
    expect(proxy).toEqual(template.spec.containers[0]);
    const { lifecycle, volumeMounts, securityContext, ...rest } = target as Record<string, unknown>;
    const {
      lifecycle: _,
      volumeMounts: mounts,
      ...given
    } = template.spec.containers[1] as Record<string, unknown>;
    expect(rest).toEqual(given);
    expect(securityContext).toEqual({ runAsUser: 1000 });
    expect(lifecycle).toMatchObject({ preStop: { exec: { command: ["sync"] } }, postStart: { exec: {} } });
    expect((volumeMounts as unknown[])[0]).toEqual((mounts as unknown[])[0]);
    expect(spec.initContainers.map(({ name }) => name)).toEqual(["first", "sshd-bundle", "accounts"]);
    expect(spec.volumes[0]).toEqual(template.spec.volumes[0]);
  });

  it("is not the one that was given, which stays as it was", () => {
    const template = { spec: { containers: [app] } };
    const before = structuredClone(template);
    made(template);
    expect(template).toEqual(before);
  });

  it.each<[string, PodTemplate, unknown, unknown]>([
    [
      "the pod's user",
      { spec: { securityContext: { runAsUser: 1000 }, containers: [app] } },
      undefined,
      { runAsUser: 1000 },
    ],
    [
      "the container's user",
      { spec: { containers: [{ ...app, securityContext: { runAsUser: 1000 } }] } },
      { runAsUser: 1000 },
      undefined,
    ],
  ])("sets no user beside %s", (_, template, container, pod) => {
    const { spec } = made(template);
    expect(spec.containers[0]).toEqual(expect.objectContaining({ name: "app" }));
    expect((spec.containers[0] as { securityContext?: unknown }).securityContext).toEqual(container);
    expect((spec as { securityContext?: unknown }).securityContext).toEqual(pod);
  });

  it("lets a port below 1024 be listened on, beside sysctls of the template's own", () => {
    const own = { name: "net.ipv4.tcp_keepalive_time", value: "60" };
    const { spec } = made(
      { spec: { securityContext: { sysctls: [own] }, containers: [app] } },
      { ssh: { ...required.ssh, port: 22 } },
    );
    expect(spec).toMatchObject({
      securityContext: { sysctls: [own, { name: "net.ipv4.ip_unprivileged_port_start", value: "22" }] },
    });
  });

  it("has the host key readable by its group where it has one, and else by everybody in it", () => {
    const modeOf = (security: object) => {
      const { spec } = made({ spec: { securityContext: security, containers: [app] } });
      const volume = spec.volumes.find(({ name }) => name === "host-key") as {
        secret: { defaultMode: number };
      };
      return volume.secret.defaultMode;
    };
    expect([modeOf({ fsGroup: 1000 }), modeOf({})]).toEqual([0o440, 0o444]);
  });
});

describe("hosts by name", () => {
  const own = { name: "HTTPS_PROXY", value: "http://own:1" };
  const of = (container: object) => {
    const { spec } = made(
      { spec: { containers: [{ ...app, ...container }, { name: "other" }] } } as PodTemplate,
      byName,
    );
    return spec.containers;
  };

  it("are in the environment of the container that sessions are in, before its own", () => {
    const [target, other] = of({ env: [own] });
    const names = target?.env?.map(({ name }) => name) ?? [];
    expect(names[0]).toBe("DRAWBRIDGE_EGRESS_TOKEN");
    expect(names.filter((name) => name === "HTTPS_PROXY")).toHaveLength(1);
    expect(target?.env?.at(-1)).toEqual(own);
    expect(names).toEqual(expect.arrayContaining(["https_proxy", "NO_PROXY", "GIT_SSH_COMMAND"]));
    expect(target?.volumeMounts).toContainEqual(
      expect.objectContaining({ mountPath: "/etc/drawbridge/egress" }),
    );
    expect(other?.env).toBeUndefined();
  });

  it("leave nothing else outside of the pod", () => {
    expect(egressNetworkPolicy(planOf(byName))?.spec).toMatchObject({
      podSelector: { matchLabels: { "drawbridge.dev/sshd": "nb" } },
      policyTypes: ["Egress"],
      egress: [{ ports: [{ port: 53 }, { port: 53 }] }, { ports: [{ port: 3128 }] }],
    });
    expect(egressNetworkPolicy(planOf())).toBeUndefined();
  });

  it.each([
    [byName, []],
    [{ egress: byName.egress }, ["podName: is missing"]],
    [{ ...byName, egress: { hosts: ["pypi.org"] } }, ["egress.gateway: is missing"]],
    [
      { ...byName, ...withApp({ env: Promise.resolve([]) }) },
      ["podTemplate.spec.containers[0].env: is not known yet"],
    ],
    [
      { ...byName, ...withSpec({ volumes: [{ name: "egress" }] }) },
      ['podTemplate.spec.volumes[0].name: "egress" is the name of a part'],
    ],
  ])("of %j the faults are %j", (args, expected) => {
    expect(faultsOf(args)).toEqual(expected.map((fault) => expect.stringContaining(fault)));
  });
});

it("names all that it brings", () => {
  const plan = planOf({ access: throughFrp, ...byName });
  const { volumes, initContainers, mounts } = joinParts([
    bundlePart({ ...plan, image: "app:1" }),
    sshdVolumes({ ...plan, image: "app:1" }),
    frpcPart(plan),
    connectPart(plan.name),
  ]);
  expect(volumes.map(({ name }) => name).sort()).toEqual([...ownNames.volumes].sort());
  expect(initContainers.map(({ name }) => name)).toEqual(ownNames.containers);
  for (const { mountPath } of mounts as readonly { readonly mountPath: string }[]) {
    expect(ownMountPaths.filter((own) => mountPath === own || mountPath.startsWith(`${own}/`))).toHaveLength(
      1,
    );
  }
});

describe("faults", () => {
  const unknown = (place: string) => [
    `podTemplate.spec${place}: is not known yet, but entries must be added to it`,
  ];
  it.each([
    ...cases`
    { podTemplate: { spec: { containers: [${app}], hostUsers: false } } }
    { podTemplate: { spec: { containers: [{ name: "app", image: "registry.example.com/app:1", ports: [{ containerPort: 2222, protocol: "UDP" }] }] } } }
    { podTemplate: { spec: { containers: [${app}], initContainers: [{ name: "before", image: "registry.example.com/app:1", ports: [{ containerPort: 2222 }] }] } } }
    { podTemplate: { spec: { containers: [{ name: "app", image: "registry.example.com/app:1", securityContext: { runAsUser: 1000 } }], securityContext: { runAsUser: 33 } } } }
    { podTemplate: { spec: { containers: [{ name: "app", image: "registry.example.com/app:1", lifecycle: { preStop: {} } }] } } }
    { podTemplate: { spec: { containers: [${app}, { name: "b", image: "registry.example.com/app:1", ports: [{ containerPort: 2223 }] }] } } }
    { authorizedKeys: [] } → authorizedKeys: has no key, so no login is possible
    { access: {} } → access: has no way in, so no login is possible
    { podTemplate: { spec: {} } } → podTemplate.spec.containers: has no container into which sshd could be put
    { containerName: "db" } → containerName: "db" is not among the containers of the template, which are app
    { podTemplate: { spec: { containers: [${app}], volumes: "home" } } }
      → podTemplate.spec.volumes: is not known yet, but entries must be added to it
    { podTemplate: { spec: { containers: [${app}], hostNetwork: true } } }
      → podTemplate.spec.hostNetwork: would put sshd on the node itself
    { podTemplate: { spec: { containers: [${app}], hostPID: true } } }
      → podTemplate.spec.hostPID: would put sshd on the node itself
    { podTemplate: { spec: { containers: [${app}], volumes: [{ name: "host-key", emptyDir: {} }] } } }
      → podTemplate.spec.volumes[0].name: "host-key" is the name of a part that sshd brings
    { podTemplate: { spec: { containers: [${app}], initContainers: [{ name: "accounts", image: "registry.example.com/app:1" }] } } }
      → podTemplate.spec.initContainers[0].name: "accounts" is the name of a part that sshd brings
    { podTemplate: { spec: { containers: [{ name: "app", image: "registry.example.com/app:1", lifecycle: { postStart: {} } }] } } }
      → podTemplate.spec.containers[0].lifecycle.postStart: is taken: a container has one postStart hook, and it starts sshd
    { podTemplate: { spec: { containers: [{ name: "app", image: "registry.example.com/app:1", volumeMounts: [{ name: "x", mountPath: "/etc/drawbridge/sshd" }] }] } } }
      → podTemplate.spec.containers[0].volumeMounts[0].mountPath: /etc/drawbridge/sshd overlaps /etc/drawbridge, which the container needs
    { podTemplate: { spec: { containers: [{ name: "app", image: "registry.example.com/app:1", ports: [{ containerPort: 2222 }] }] } } }
      → podTemplate.spec.containers[0].ports[0].containerPort: 2222 is in use already
    { podTemplate: { spec: { containers: [${app}, { name: "proxy", image: "registry.example.com/app:1", ports: [{ containerPort: 2222, protocol: "TCP" }] }], initContainers: [{ name: "side", image: "registry.example.com/app:1", restartPolicy: "Always", ports: [{ containerPort: 2222 }] }] } } }
      → podTemplate.spec.containers[1].ports[0].containerPort: 2222 is in use already
      → podTemplate.spec.initContainers[0].ports[0].containerPort: 2222 is in use already
    { podTemplate: { spec: { containers: [{ name: "app", image: "registry.example.com/app:1", securityContext: { runAsUser: 0 } }] } } }
      → podTemplate.spec.containers[0].securityContext.runAsUser: is root, and an injected sshd takes no login as root
    { podTemplate: { spec: { containers: [${app}], securityContext: { runAsUser: 33 } } } }
      → podTemplate.spec.securityContext.runAsUser: is 33, and user.uid is 1000: sshd runs as the container's user
    { podTemplate: { spec: { containers: [{ name: "app", image: "registry.example.com/app:1", lifecycle: { postStart: {} }, securityContext: { runAsUser: 0 } }] } }, authorizedKeys: [] }
      → authorizedKeys: has no key, so no login is possible
      → podTemplate.spec.containers[0].lifecycle.postStart: is taken: a container has one postStart hook, and it starts sshd
      → podTemplate.spec.containers[0].securityContext.runAsUser: is root, and an injected sshd takes no login as root
  `,
    ["containers that come later", withSpec({ containers: Promise.resolve([]) }), unknown(".containers")],
    [
      "a container that comes later",
      withSpec({ containers: [Promise.resolve(app)] }),
      unknown(".containers"),
    ],
    [
      "mounts that come later",
      withApp({ volumeMounts: Promise.resolve([]) }),
      unknown(".containers[0].volumeMounts"),
    ],
    ["a spec that comes later", { podTemplate: { spec: Promise.resolve({}) } }, unknown("")],
    ["a hook that comes later", withApp({ lifecycle: lifted }), []],
    [
      "a container's name that comes later",
      { ...withSpec({ containers: [{ ...app, name: Promise.resolve("db") }] }), containerName: "db" },
      [],
    ],
    ["a template that comes later", { podTemplate: Promise.resolve({}) }, []],
  ])("%s", (_, args, faults) => {
    expect(faultsOf(args)).toEqual(faults);
  });
});
