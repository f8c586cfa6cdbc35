/** What one component gives another, previewed by the real engine with no cluster reachable. */
import {
  DevContainer,
  type DevContainerArgs,
  FrpServer,
  type FrpServerRefArgs,
  SshGateway,
  type SshGatewayRefArgs,
  StorageAccessor,
  StorageProxy,
  type StorageProxyRefArgs,
  type StorageRefArgs,
  Team,
  type TeamRefArgs,
} from "@drawbridge-iac/drawbridge";
import { deriveServerCertificate } from "@drawbridge-iac/drawbridge/src/frp-server/certificate";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { beforeAll, describe, expect, it } from "vitest";
import { previewDigest } from "../../scripts/lib/engine/digest.ts";
import { previews } from "../support/previewed.ts";

const seed = "engine-test-seed-0123456789abcdef0123456789";
const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice";
const loadBalancer = { preset: "generic" } as const;
const egress = { apiServer: [{ cidr: "192.0.2.10/32" }] };

const { opened, previewed } = previews();

/** What a preview would make, by name, and what it said. */
async function preview(program: () => void) {
  const { steps, said, failed } = await previewed(async () => void program());
  const objects = Object.fromEntries(steps.map(({ name, type, inputs }) => [name, { type, inputs }]));
  return { objects, said: said.join("\n"), failed };
}

/** What the components give each other in one program, and the same written by hand. */
const given = () => {
  const gateway = new SshGateway("ssh", {
    domain: "dev.example.com",
    loadBalancer,
    egress,
    idle: { image: "registry.example.com/programs:1.0.0" },
  });
  const frp = new FrpServer("frp", {
    domain: "frp.example.com",
    seed,
    authorizer: { image: "registry.example.com/programs:1.0.0" },
    egress,
    loadBalancer,
  });
  const proxy = new StorageProxy("files", { dnsName: "files.example.com", loadBalancer });
  const root = new Team("team-a", { root: { containersInside: true } });
  const data = new StorageAccessor("data", {
    namespace: "team-a",
    accessMode: "ReadWriteMany",
    prepare: { image: "registry.example.com/tools:1.0.0", command: ["true"] },
  });
  return { gateway, frp, proxy, root, data };
};

interface Refs {
  readonly gateway: pulumi.Input<SshGatewayRefArgs | SshGateway>;
  readonly frp: pulumi.Input<FrpServerRefArgs | FrpServer>;
  readonly proxy: pulumi.Input<StorageProxyRefArgs | StorageProxy>;
  readonly root: pulumi.Input<TeamRefArgs | Team>;
  readonly data: pulumi.Input<StorageRefArgs | StorageAccessor>;
}

const refsOf = ({ gateway, frp, proxy, root, data }: ReturnType<typeof given>): Refs => ({
  gateway: gateway.ref,
  frp: frp.ref,
  proxy: proxy.ref,
  root: root.ref,
  data: data.ref,
});

/** The same by hand: without a version, and with addresses. */
const byHand = {
  gateway: {
    name: "ssh",
    namespace: "ssh",
    domain: "dev.example.com",
    plainPort: 80,
    address: "192.0.2.7",
    idle: {
      namespace: "ssh",
      cullerServiceAccountName: "ssh-culler",
      activatorServiceAccountName: "ssh-activator",
      gpuMetrics: false,
    },
  },
  frp: (caBundle: pulumi.Input<string>) => ({
    serverAddr: "frp.frp.svc.cluster.local",
    serverPort: 7000,
    caBundle,
    address: "192.0.2.8",
    connectPort: 1337,
    domain: "frp.example.com",
    authorizer: { namespace: "frp", serviceAccountName: "frp" },
  }),
  proxy: {
    name: "files",
    namespace: "files",
    scheme: "http",
    port: 80,
    dnsName: "files.example.com",
    address: "192.0.2.9",
  },
  root: { namespace: "team-a", root: true, containersInside: true },
  data: {
    name: "data",
    namespace: "team-a",
    claimName: "data-storage",
    accessMode: "ReadWriteMany",
    gid: 1000,
  },
} as const;

/** A storage and a container that take all of it. */
function consumers({ gateway, frp, proxy, root, data }: Refs, more: Partial<DevContainerArgs> = {}) {
  const image = "registry.example.com/dev:1.0.0";
  new StorageAccessor("models", {
    namespace: "team-a",
    prepare: { image, copyFrom: data },
    browse: { proxy, credentials: [{ user: "alice", password: "only-for-tests-alice" }] },
  });
  new DevContainer("dev1", {
    namespace: "team-a",
    image,
    authorizedKeys: [key],
    hostKey: { seed },
    root: true,
    team: root,
    mounts: [{ storage: data, mountPath: "/data" }],
    access: { gateway, frp: { server: frp, address: "192.0.2.8" } },
    idle: {},
    ...more,
  });
}

const ofConsumers = (objects: Readonly<Record<string, object>>) =>
  Object.fromEntries(
    Object.entries(objects)
      .filter(([name]) => /^(models|dev1)-/.test(name))
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );

/** The names on which each object of the consumers depends. */
async function dependencies(program: () => void): Promise<Record<string, string[]>> {
  opened.setProgram(async () => {
    program();
    return {};
  });
  const last = (urn: string) => urn.split("::").at(-1) ?? "";
  const { steps } = JSON.parse(await previewDigest(opened.stack)) as {
    steps: { newState: { urn: string; dependencies?: string[] } }[];
  };
  return Object.fromEntries(
    steps
      .map(({ newState: { urn, dependencies = [] } }) => [last(urn), dependencies.map(last).sort()] as const)
      .filter(([name]) => /^(dev1|models)-/.test(name)),
  );
}

const later = <T>(value: T) => pulumi.output(Promise.resolve(value)) as unknown as pulumi.Output<T>;

describe("a ref", () => {
  let plain: Awaited<ReturnType<typeof preview>>;
  let passed: typeof plain;
  beforeAll(async () => {
    plain = await preview(() => consumers({ ...byHand, frp: byHand.frp(given().frp.caBundle) }));
    passed = await preview(() => consumers(refsOf(given())));
  });

  it("of the same program makes what the same values by hand make, and a preview knows it", () => {
    expect([plain.said, passed.said]).toEqual(["", ""]);
    expect(Object.keys(ofConsumers(passed.objects)).length).toBeGreaterThan(20);
    expect(ofConsumers(passed.objects)).toEqual(ofConsumers(plain.objects));
  });

  it("brings what stands behind it along: no dependsOn, and no waiting for an address", async () => {
    const behind = await dependencies(() => consumers(refsOf(given())));
    expect(behind["dev1-route"]).toEqual(expect.arrayContaining(["ssh-listeners", "ssh-admission"]));
    expect(behind["dev1-workload"]).toEqual(expect.arrayContaining(["data-prepare-1"]));
    expect(behind["dev1-frpc"]).toContain("frp-configuration");
    expect(behind["models-network"]).toContain("files-egress");
    expect(Object.keys(behind).length).toBeGreaterThan(20);
    for (const names of Object.values(behind))
      expect(names.filter((name) => /-(load-balancer|proxy)$/.test(name))).toEqual([]);
  });

  it("of another stack is the same, by hand and of a version after this one", async () => {
    const caBundle = (all: ReturnType<typeof given>) => all.frp.caBundle;
    const hand = await preview(() =>
      consumers({
        gateway: later(byHand.gateway),
        frp: caBundle(given()).apply(byHand.frp) as never,
        proxy: later(byHand.proxy),
        root: later(byHand.root),
        data: later(byHand.data),
      }),
    );
    const after = await preview(() => {
      const next = <T extends object>(ref: T) => later({ ...ref, version: 3, what: { comes: ["next"] } });
      const { idle, ...gateway } = byHand.gateway;
      consumers({
        gateway: next({ ...gateway, idle: { ...idle, what: "comes next" } }),
        frp: caBundle(given()).apply((pem) => ({ ...byHand.frp(pem), version: 3, what: "next" })) as never,
        proxy: next(byHand.proxy),
        root: next(byHand.root),
        data: next(byHand.data),
      });
    });
    expect([hand.said, after.said]).toEqual(["", ""]);
    expect(ofConsumers(hand.objects)).toEqual(ofConsumers(plain.objects));
    expect(ofConsumers(after.objects)).toEqual(ofConsumers(plain.objects));
  });

  it("that a preview does not know makes the same resources", async () => {
    const unknown = await preview(() => {
      const id = new k8s.core.v1.Namespace("elsewhere").id;
      const hidden = <T>(ref: pulumi.Input<T>) => pulumi.all([ref, id]).apply(([all]) => all) as never;
      const { gateway, frp, proxy, root, data } = refsOf(given());
      consumers({
        gateway: hidden(gateway),
        frp: hidden(frp),
        proxy: hidden(proxy),
        root: hidden(root),
        data: hidden(data),
      });
    });
    expect(unknown.said).toBe("");
    expect(Object.keys(ofConsumers(unknown.objects))).toEqual(Object.keys(ofConsumers(passed.objects)));
  });

  const { caBundle } = deriveServerCertificate(seed, "frp/frp", ["frp.example.com"]);
  const wrong: [what: string, refs: Partial<Refs>, path: string][] = [
    [
      "a gateway without idle",
      { gateway: later({ ...byHand.gateway, idle: undefined }) as never },
      "access.gateway.idle",
    ],
    [
      "a gateway without a name",
      { gateway: later({ ...byHand.gateway, name: undefined }) as never },
      "access.gateway.name",
    ],
    [
      "a misspelt field of one by hand",
      { gateway: later({ ...byHand.gateway, plainport: 80 }) as never },
      "access.gateway",
    ],
    [
      "a proxy that speaks otherwise",
      { proxy: later({ ...byHand.proxy, scheme: "ftp" }) as never },
      "browse.proxy.scheme",
    ],
    ["another's namespace", { root: later({ namespace: "team-b", root: true }) }, "team.namespace"],
    [
      "a storage of another namespace",
      { data: later({ ...byHand.data, namespace: "team-b" }) },
      "mounts[0].storage.namespace",
    ],
    ["a storage of another group", { data: later({ ...byHand.data, gid: 2000 }) }, "mounts[0].storage.gid"],
    [
      "a field that has another name now, of one by hand",
      { proxy: later({ ...byHand.proxy, host: "files.example.com" }) as never },
      "browse.proxy",
    ],
    ["an frps without a CA", { frp: later({ ...byHand.frp("x") }) }, "access.frp.server.caBundle"],
  ];
  it.each(wrong)("is checked when it is known: %s", async (_, refs, path) => {
    const { said, failed, objects } = await preview(() =>
      consumers({ ...byHand, frp: byHand.frp(caBundle), ...refs }),
    );
    expect(said).toContain(`- ${path}: `);
    expect(said).toContain("what uses them was not made");
    expect(failed).toBe(true);
    const asker = path.startsWith("browse") ? "models-" : "dev1-";
    expect(Object.keys(objects).filter((name) => name.startsWith(asker))).toEqual([]);
  });

  it("that is wrong makes nothing where there is no claim and no namespace to make first either", async () => {
    const credentials = [{ user: "alice", password: "only-for-tests-alice" }];
    const prepare = { image: "registry.example.com/tools:1.0.0", command: ["true"] };
    const { failed, said, objects } = await preview(() => {
      new StorageAccessor("models", {
        namespace: "team-a",
        claimName: "data",
        prepare,
        browse: { proxy: later({ ...byHand.proxy, scheme: "ftp" }) as never, credentials },
      });
      const host = later("no host name");
      new StorageProxy("files", { createNamespace: false, image: host, loadBalancer });
    });
    expect(failed).toBe(true);
    expect(said).toContain("- browse.proxy.scheme: ");
    expect(said).toContain("- image: ");
    expect(Object.keys(objects).filter((name) => /^(models|files)-/.test(name))).toEqual([]);
  });
});

describe("a component in the place of its ref", () => {
  const withoutFrpAddress = (all: Refs) => ({ access: { gateway: all.gateway, frp: { server: all.frp } } });

  it("makes what its ref makes, with the same behind it, and brings its address along", async () => {
    const [byRef, itself, inOutputs] = [
      () => consumers(refsOf(given())),
      () => {
        const all = given();
        consumers(all, withoutFrpAddress(all));
      },
      () => {
        const { gateway, frp, proxy, root, data } = given();
        const all = {
          gateway: later(gateway),
          frp: later(frp),
          proxy: later(proxy),
          root: later(root),
          data: later(data),
        };
        consumers(all as never, withoutFrpAddress(all as never));
      },
    ];
    const passed = await preview(byRef);
    for (const program of [itself, inOutputs]) {
      const found = await preview(program);
      expect(found.said).toBe("");
      expect(ofConsumers(found.objects)).toEqual(ofConsumers(passed.objects));
      expect(await dependencies(program)).toEqual(await dependencies(byRef));
    }
  });

  it("stands for a group, and a Namespace or a Team for a name", async () => {
    const short = await preview(() => {
      const { gateway, frp, data } = given();
      const namespace = new k8s.core.v1.Namespace("team-a", { metadata: { name: "team-a" } });
      consumers(
        { ...byHand, frp, data },
        { namespace, mounts: [{ storage: data }], access: { gateway, frp } },
      );
    });
    const long = await preview(() => {
      const { gateway, frp, root, data } = given();
      consumers(
        { ...byHand, frp, data },
        {
          namespace: root,
          mounts: [{ storage: data, mountPath: "/storage/data" }],
          access: { gateway, frp: { server: frp } },
        },
      );
    });
    expect([short.said, long.said]).toEqual(["", ""]);
    expect(ofConsumers(short.objects)).toEqual(ofConsumers(long.objects));
  });

  it.each<[what: string, args: (all: ReturnType<typeof given>) => object, faults: string[]]>([
    [
      "another component",
      ({ root }) => ({ access: { gateway: root } }),
      ["access.gateway: is a Team, which cannot stand here; set an SshGateway"],
    ],
    [
      "a component for a text",
      ({ gateway }) => ({ home: { claimName: gateway } }),
      ["home.claimName: is an SshGateway, which cannot stand here; set the output of it that is meant"],
    ],
    [
      "a resource for its name",
      () => ({ home: { claimName: new k8s.core.v1.PersistentVolumeClaim("older") } }),
      ["home.claimName: is a PersistentVolumeClaim, which cannot stand here; set its metadata.name"],
    ],
    [
      "a component for a group that it cannot stand for",
      ({ gateway }) => ({ access: gateway }),
      ["access: is an SshGateway, which cannot stand here; set { gateway: … } with it"],
    ],
    [
      "another resource for a namespace",
      ({ gateway }) => ({ namespace: gateway }),
      ["namespace: is an SshGateway, which cannot stand here; set a Namespace"],
    ],
    [
      "a resource within what is passed on",
      ({ data }) => ({ pod: { volumes: [{ name: "x", persistentVolumeClaim: { claimName: data } }] } }),
      [
        "pod.volumes[0].persistentVolumeClaim.claimName: is a StorageAccessor, which cannot stand here; set the output of it that is meant",
      ],
    ],
    [
      "a misspelt place",
      ({ gateway }) => ({ access: { gatway: gateway } }),
      ['access: unknown key "gatway"; did you mean "gateway"?'],
    ],
  ])("is one fault where it cannot stand: %s", async (_, args, faults) => {
    const { said, failed } = await preview(() => {
      const all = given();
      consumers({ ...byHand, frp: byHand.frp(all.frp.caBundle) }, { idle: { enabled: false }, ...args(all) });
    });
    expect(failed).toBe(true);
    expect([...new Set(said.match(/(?<=^ +- ).*/gm))]).toEqual(faults);
  });
});
