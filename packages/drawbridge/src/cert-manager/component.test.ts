/** What is registered for an installation of cert-manager. Its plugin and chart come from the network: not run here. */
import { execFileSync } from "node:child_process";
import { CertManager, type CertManagerArgs } from "@drawbridge-iac/drawbridge/cert-manager";
import * as pulumi from "@pulumi/pulumi";
import { beforeEach, describe, expect, it } from "vitest";

let registered: { type: string; name: string; inputs: Record<string, unknown> }[];

beforeEach(async () => {
  registered = [];
  await pulumi.runtime.setMocks({
    newResource: ({ type, name, inputs }) => {
      registered.push({ type, name, inputs });
      return { id: name, state: inputs };
    },
    call: ({ inputs }) => inputs,
  });
});

const component = { type: "drawbridge:index:CertManager", name: "certs" };
const release = (inputs: Record<string, unknown>) => ({
  type: "kubernetes-cert-manager:index:CertManager",
  name: "certs-release",
  inputs,
});

/** Everything that a component registers, in order, with the inputs of its children. */
async function all(args?: CertManagerArgs) {
  const made = new CertManager("certs", args);
  await pulumi.runtime.disconnect();
  const namespace = await new Promise((resolve) => made.namespace.apply(resolve));
  const [{ type, name } = component, ...children] = registered;
  return { namespace, registered: [{ type, name }, ...children] };
}

describe("an installation of cert-manager", () => {
  it("is a restricted namespace and the release in it", async () => {
    expect(await all()).toEqual({
      namespace: "cert-manager",
      registered: [
        component,
        {
          type: "kubernetes:core/v1:Namespace",
          name: "certs-namespace",
          inputs: {
            apiVersion: "v1",
            kind: "Namespace",
            metadata: {
              name: "cert-manager",
              labels: {
                "app.kubernetes.io/component": "cert-manager",
                "app.kubernetes.io/instance": "certs",
                "app.kubernetes.io/name": "cert-manager",
                "app.kubernetes.io/managed-by": "drawbridge",
                "app.kubernetes.io/part-of": "drawbridge",
                "pod-security.kubernetes.io/enforce": "restricted",
                "pod-security.kubernetes.io/warn": "restricted",
              },
            },
          },
        },
        release({
          installCRDs: true,
          replicaCount: 1,
          helmOptions: { name: "certs", namespace: "cert-manager", createNamespace: false },
        }),
      ],
    });
  });

  it("takes a release, a mirror and a namespace that is there", async () => {
    const args = {
      name: "cm",
      namespace: "security",
      createNamespace: false,
      version: "v1.16.2",
      repository: "https://charts.example.com/cert-manager",
      installCrds: false,
      replicas: 2,
    };
    expect(await all(args)).toEqual({
      namespace: "security",
      registered: [
        component,
        release({
          installCRDs: false,
          replicaCount: 2,
          helmOptions: {
            name: "cm",
            namespace: "security",
            createNamespace: false,
            version: "v1.16.2",
            repositoryOpts: { repo: "https://charts.example.com/cert-manager" },
          },
        }),
      ],
    });
  });

  it("names a chart in an OCI registry by its whole address", async () => {
    const { registered: made } = await all({ repository: "oci://registry.example.com/charts/" });
    expect(made.at(-1)).toEqual(
      release({
        installCRDs: true,
        replicaCount: 1,
        helmOptions: {
          name: "certs",
          namespace: "cert-manager",
          createNamespace: false,
          chart: "oci://registry.example.com/charts/cert-manager",
        },
      }),
    );
  });

  it("names all faults at once and registers nothing", () => {
    const args = { namespace: "Certs", version: "1.16", repository: "https://me:secret@charts", replicas: 0 };
    expect(() => new CertManager("certs", args)).toThrow(
      [
        'CertManager "certs": 4 faults in its arguments, nothing of it was created:',
        '  - namespace: "Certs" is not a DNS label; use at most 63 lower-case letters, digits and inner hyphens',
        "  - replicas: 0 is out of range; use a whole number of replicas from 1 to 10",
        '  - repository: is not a chart repository; write it like "https://charts.jetstack.io", without credentials',
        '  - version: "1.16" is not a release of cert-manager; write it like "v1.20.3", with the v',
      ].join("\n"),
    );
    expect(registered).toEqual([]);
  });
});

it("is all that loads the package of the plugin: the main entry does not", () => {
  const script = `
    import { createRequire } from "node:module";
    const { cache } = createRequire(process.cwd() + "/none.js");
    for (const entry of ["@drawbridge-iac/drawbridge", "@drawbridge-iac/drawbridge/cert-manager"]) {
      await import(entry);
      console.log(Object.keys(cache).some((path) => path.includes("/kubernetes-cert-manager/")));
    }`;
  const args = ["--conditions=@drawbridge/source", "--input-type=module", "--eval", script];
  expect(execFileSync(process.execPath, args, { encoding: "utf8" })).toBe("false\ntrue\n");
  // Two SDKs are read from their sources, which takes long on a busy machine.
}, 300_000);
