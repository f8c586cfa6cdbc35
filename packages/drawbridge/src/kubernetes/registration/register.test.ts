import * as pulumi from "@pulumi/pulumi";
import { beforeAll, expect, it } from "vitest";
import { publicImages } from "../images.ts";
import type { Manifest } from "../manifest.ts";
import { declared } from "../objects.ts";
import { registerChildren, setOutputs } from "./register.ts";

interface Registered {
  readonly name: string;
  readonly type: string;
  readonly inputs: Record<string, unknown>;
}

const registered: Registered[] = [];

beforeAll(async () => {
  await pulumi.runtime.setMocks({
    newResource: ({ name, type, inputs }) => {
      registered.push({ name, type, inputs });
      return { id: name, state: inputs };
    },
    call: ({ inputs }) => inputs,
  });
});

const metadata = { name: "one", annotations: { own: "kept" } };
const settings: Manifest<"ConfigMap"> = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: "b" } };
const namespace: Manifest<"Namespace"> = { apiVersion: "v1", kind: "Namespace", metadata };

class Thing extends pulumi.ComponentResource {
  public readonly address!: pulumi.Output<string>;

  constructor(name: string) {
    super("test:index:Thing", name);
    const children = registerChildren(
      name,
      {
        namespace: declared(namespace, { kept: true }),
        settings: declared(settings, { after: ["namespace", "absent"], suffix: "settings-2" }),
        absent: false,
      },
      { parent: this },
    );
    setOutputs<Thing>(this, { address: children.settings.metadata.name });
  }
}

it("takes images that nobody named from the stack's registry", async () => {
  pulumi.runtime.setConfig("drawbridge:imageRegistry", "registry.example.com/team");
  const named = (image: string) => ({ containers: [{ name: "one", image }] });
  const run = (image: string): Manifest<"Deployment"> => ({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "one" },
    spec: { selector: {}, template: { spec: named(image) } },
  });
  const objects = { proxy: declared(run(publicImages.envoy)) };
  try {
    const { proxy } = registerChildren("moved", objects, {});
    expect(await new Promise((resolve) => proxy.spec.template.spec.containers.apply(resolve))).toEqual(
      named("registry.example.com/team/envoy:distroless-v1.40.0").containers,
    );
    pulumi.runtime.setConfig("drawbridge:imageRegistry", "https://registry.example.com");
    expect(() => registerChildren("refused", objects, {})).toThrow(
      'drawbridge:imageRegistry: "https://registry.example.com" is no registry; write it like',
    );
  } finally {
    pulumi.runtime.setAllConfig({});
  }
});

it("registers each object as a resource of its kind, and leaves out what is not made", async () => {
  const { address } = new Thing("thing");
  expect(await new Promise((resolve) => address.apply(resolve))).toBe("one");
  expect(registered.filter(({ name }) => name.startsWith("thing-"))).toEqual([
    { name: "thing-namespace", type: "kubernetes:core/v1:Namespace", inputs: namespace },
    {
      name: "thing-settings-2",
      type: "kubernetes:core/v1:ConfigMap",
      inputs: {
        ...settings,
        metadata: {
          ...metadata,
          annotations: { own: "kept", "pulumi.com/deletionPropagationPolicy": "background" },
        },
      },
    },
  ]);
});

it.each(["Deployment", "Job", "Namespace", "PersistentVolumeClaim", "Service", "StatefulSet"])(
  "leaves the end of a %s to the cluster's garbage collector",
  (kind) => {
    const owner = { ...namespace, kind } as Manifest;
    expect(declared(owner).manifest).toEqual(owner);
  },
);
