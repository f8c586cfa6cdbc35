/** Every pod that a component makes is pulled with the Secrets that it names. */
import { expect, it } from "vitest";
import { builders } from "./built.fixture.ts";
import { aliceKey } from "./dev-container/plan.fixture.ts";
import { serverRef } from "./frp-server/frp.fixture.ts";
import { containers, frpServers, gateways, storages } from "./isolation.fixture.ts";
import type { Objects } from "./kubernetes/objects.ts";
import { sshRouteSchema } from "./ssh-route/args.ts";
import { sshRouteObjects } from "./ssh-route/objects.ts";
import { planSshRoute } from "./ssh-route/plan.ts";

const { gateway, container, frpServer, storage } = builders;
const token = "a route's own token, which is long enough";

function routeThroughFrp(secrets: object): Objects {
  const args = {
    ...{ namespace: "team-a", serviceName: "box", userName: "ubuntu", hostPublicKeys: [aliceKey] },
    access: { frp: { server: serverRef, token, image: "frpc:v0.71.0" } },
    ...secrets,
  };
  return sshRouteObjects(planSshRoute("box", sshRouteSchema.parse(args)), { token, tokenSha256: "00ff" });
}

const of = <Args>(cases: Record<string, Args>, name: string) => cases[name] as Args;
const prepare = { image: "prepare:1", command: ["true"] };
const withTokens = of(storages, "storage-with-tokens");

const components: Readonly<Record<string, readonly [made: (secrets: object) => Objects, pods: string[]]>> = {
  DevContainer: [
    (secrets) => container({ ...of(containers, "container"), ...secrets }),
    ["StatefulSet dev1"],
  ],
  SshGateway: [
    (secrets) => gateway({ ...of(gateways, "gateway-with-idle"), ...secrets }),
    ["Deployment ssh", "Deployment ssh-activator", "Deployment ssh-culler"],
  ],
  FrpServer: [(secrets) => frpServer({ ...of(frpServers, "frp"), ...secrets }), ["Deployment frp"]],
  "StorageProxy and StorageAccessor": [
    (secrets) =>
      storage({
        ...withTokens,
        proxy: { ...withTokens.proxy, ...secrets },
        storage: { ...withTokens.storage, prepare, ...secrets },
      }),
    ["Deployment files", "Deployment models-files", "Job models-prepare-1"],
  ],
  SshRoute: [routeThroughFrp, ["Deployment box-frpc"]],
};

interface Workload {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly template?: { readonly spec: { readonly imagePullSecrets?: object[] } } };
}

/** What each workload pulls with, by kind and name. */
const pulled = (objects: Objects) =>
  Object.values(objects)
    .flatMap((one) => (one ? [one.manifest as unknown as Workload] : []))
    .flatMap(({ kind, metadata, spec }) =>
      spec?.template === undefined
        ? []
        : [[`${kind} ${metadata.name}`, spec.template.spec.imagePullSecrets] as const],
    )
    .sort(([one], [other]) => one.localeCompare(other));

it.each(Object.entries(components))("of %s", (_, [made, pods]) => {
  const secrets = [{ name: "registry" }, { name: "mirror" }];
  expect(pulled(made({ pod: { imagePullSecrets: ["registry", "mirror"] } }))).toEqual(
    pods.map((pod) => [pod, secrets]),
  );
  expect(pulled(made({}))).toEqual(pods.map((pod) => [pod, undefined]));
});
