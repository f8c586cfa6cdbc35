/**
 * The accounts of the culler and the activator on a real API server: what each may do, and what it may not. What they do
 * with it is in test/lab/idle.test.ts.
 */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Kubernetes, kubernetes } from "../../packages/controllers/src/api-server.ts";
import { devContainerSchema } from "../../packages/drawbridge/src/dev-container/args-checks.ts";
import { planDevContainer } from "../../packages/drawbridge/src/dev-container/plan.ts";
import { statefulSet } from "../../packages/drawbridge/src/dev-container/stateful-set.ts";
import { idleGrants } from "../../packages/drawbridge/src/host/idle/objects.ts";
import { hostService } from "../../packages/drawbridge/src/host/objects.ts";
import { parseArgs } from "../../packages/drawbridge/src/kit/args-error.ts";
import { temporaryFolder } from "../../packages/drawbridge/src/kit/temporary-folder.fixture.ts";
import {
  admissionPolicy,
  admissionPolicyBinding,
} from "../../packages/drawbridge/src/kubernetes/admission.ts";
import { gatewayPolicies } from "../../packages/drawbridge/src/ssh-gateway/admission-policy.ts";
import { sshGatewaySchema } from "../../packages/drawbridge/src/ssh-gateway/args-checks.ts";
import {
  activatorLeaseBinding,
  activatorLeaseRole,
  type IdleRole,
  idleAccounts,
  idleClusterBinding,
  idleClusterRole,
  idleServiceAccount,
} from "../../packages/drawbridge/src/ssh-gateway/idle.ts";
import { type KnownSshGatewayPlan, planSshGateway } from "../../packages/drawbridge/src/ssh-gateway/plan.ts";
import { teamNamespace } from "../../packages/drawbridge/src/team/namespace.ts";
import { type ApiServer, startApiServer } from "../../scripts/lib/engine/api-server.ts";
import { addIstioKinds, install, policiesStand } from "../support/attacks/server.ts";

const team = "team-idle";
const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice";

const gateway = planSshGateway(
  "ssh",
  parseArgs("SshGateway", "ssh", sshGatewaySchema, {
    domain: "dev.example.com",
    loadBalancer: { preset: "generic" },
    idle: { image: "idle:1" },
    egress: { apiServer: [{ cidr: "10.0.0.1/32" }] },
  }),
) as KnownSshGatewayPlan;
const both = { plan: gateway, idle: gateway.idle as NonNullable<typeof gateway.idle> };

let api: ApiServer;
const folder = temporaryFolder();

/** A container as its stack makes it. */
function container(name: string, idle?: object) {
  return planDevContainer(
    name,
    parseArgs("DevContainer", name, devContainerSchema, {
      namespace: team,
      image: "devcontainer:1",
      authorizedKeys: [key],
      hostKey: { seed: "only-for-tests-0123456789abcdef0123456789abcdef" },
      access: {
        gateway: {
          name: "ssh",
          namespace: "ssh",
          domain: "dev.example.com",
          plainPort: 80,
          idle: idleAccounts(gateway),
        },
      },
      ...(idle === undefined ? {} : { idle }),
    }),
  );
}

const objectsOf = (plan: ReturnType<typeof container>) => [
  hostService(plan, plan.ports),
  statefulSet(plan),
  ...idleGrants(plan).flatMap(({ role, binding }) => [role, binding]),
];

/** By the account's own token, as its pod has it. */
async function account(role: IdleRole): Promise<Kubernetes> {
  const name = `ssh-${role}`;
  const token = await api.kubectl(["-n", "ssh", "create", "token", name]);
  const config = JSON.parse(await readFile(api.kubeconfigs.admin, "utf8")) as {
    clusters: { cluster: { server: string; "certificate-authority": string } }[];
  };
  const { server = "", "certificate-authority": ca = "" } = config.clusters[0]?.cluster ?? {};
  const own = join(folder, role);
  await rm(own, { recursive: true, force: true });
  await mkdir(own);
  await writeFile(join(own, "token"), token);
  await writeFile(join(own, "ca.crt"), await readFile(ca));
  return kubernetes({ server, folder: own, userAgent: "drawbridge-idle", timeoutSeconds: 10 });
}

beforeAll(async () => {
  const owner = { path: ["ssh-gateway", "ssh", gateway.name], labels: gateway.labels };
  api = await startApiServer();
  await addIstioKinds(api);
  await install(api, [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: "ssh" } },
    teamNamespace(team),
    ...(["culler", "activator"] as const).flatMap((role) => [
      idleServiceAccount(both, role),
      idleClusterRole(both, role),
      idleClusterBinding(both, role),
    ]),
    activatorLeaseRole(both),
    activatorLeaseBinding(both),
    ...gatewayPolicies(gateway).flatMap((policy) => [
      admissionPolicy(owner, policy),
      admissionPolicyBinding(owner, policy),
    ]),
  ]);
  await install(api, [...objectsOf(container("dev1", {})), ...objectsOf(container("plain"))]);
  await policiesStand(api);
});

afterAll(async () => {
  await api?.stop();
});

/** What an account is answered: nothing where it may. */
async function answer(
  own: Kubernetes,
  method: "POST" | "PATCH" | "PUT" | "DELETE",
  path: string,
  body?: object,
) {
  return own.send(method, path, body).then(
    () => "accepted",
    (error: Error) => error.message,
  );
}

const scalePath = (name: string) => `/apis/apps/v1/namespaces/${team}/statefulsets/${name}/scale`;
const to = (value: number) => [{ op: "add", path: "/spec/replicas", value }];

it("each account may do its one thing, to containers that sleep, and nothing else", async () => {
  const [culler, activator] = [await account("culler"), await account("activator")];
  await api.kubectl(["-n", team, "scale", "statefulset", "dev1", "--replicas=0"]);
  // The twins: what each is there for.
  expect(await answer(activator, "PATCH", scalePath("dev1"), to(1))).toBe("accepted");
  expect(await answer(culler, "PATCH", scalePath("dev1"), to(0))).toBe("accepted");

  expect(await answer(culler, "PATCH", scalePath("dev1"), to(1))).toMatch(
    /the culler may only scale a container from 1 to 0/,
  );
  expect(await answer(activator, "PATCH", scalePath("dev1"), to(2))).toMatch(
    /the activator may only scale a container from 0 to 1/,
  );
  expect(await answer(activator, "PATCH", scalePath("dev1"), to(1))).toBe("accepted");
  expect(await answer(activator, "PATCH", scalePath("dev1"), to(0))).toMatch(/the activator may only scale/);
  // A container that does not sleep has given nobody a right.
  expect(await answer(culler, "PATCH", scalePath("plain"), to(0))).toMatch(
    /cannot patch resource "statefulsets\/scale"/,
  );
  expect(await answer(activator, "PATCH", scalePath("plain"), to(1))).toMatch(
    /cannot patch resource "statefulsets\/scale"/,
  );

  const set = `/apis/apps/v1/namespaces/${team}/statefulsets/dev1`;
  const image = [{ op: "replace", path: "/spec/template/spec/containers/0/image", value: "evil:1" }];
  for (const own of [culler, activator]) {
    expect(await answer(own, "PATCH", set, image)).toMatch(/cannot patch resource "statefulsets"/);
    expect(await answer(own, "DELETE", set)).toMatch(/cannot delete resource "statefulsets"/);
    expect(
      await own.get(`/api/v1/namespaces/${team}/secrets`).catch((error: Error) => error.message),
    ).toMatch(/cannot list resource "secrets"/);
    expect(await own.get(`/api/v1/namespaces/${team}/pods`).catch((error: Error) => error.message)).toMatch(
      /cannot list resource "pods"/,
    );
    expect(
      await own
        .text(`/api/v1/namespaces/${team}/pods/plain-0/log`, 1000)
        .catch((error: Error) => error.message),
    ).toMatch(/cannot get resource "pods\/log"/);
    expect(await answer(own, "POST", `/api/v1/namespaces/${team}/pods/dev1-0/exec?command=id`)).toMatch(
      /cannot create resource "pods\/exec"/,
    );
  }
  expect(
    await activator
      .text(`/api/v1/namespaces/${team}/pods/dev1-0/log`, 1000)
      .catch((error: Error) => error.message),
  ).toMatch(/cannot get resource "pods\/log"/);
});

it("the activator writes no slices but its own, and nobody else writes such ones", async () => {
  const [culler, activator] = [await account("culler"), await account("activator")];
  const uid = await api.kubectl(["-n", team, "get", "statefulset", "dev1", "-o", "jsonpath={.metadata.uid}"]);
  const slice = (change: object = {}, metadata: object = {}) => ({
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: {
      name: "dev1-asleep",
      namespace: team,
      labels: {
        "kubernetes.io/service-name": "dev1",
        "endpointslice.kubernetes.io/managed-by": "drawbridge-activator",
        "app.kubernetes.io/component": "dev-container",
      },
      ownerReferences: [{ apiVersion: "apps/v1", kind: "StatefulSet", name: "dev1", uid }],
      ...metadata,
    },
    addressType: "IPv4",
    endpoints: [{ addresses: ["10.244.0.9"] }],
    ports: [{ name: "tcp-ssh", port: 30_000, protocol: "TCP" }],
    ...change,
  });
  const path = (namespace = team) => `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`;
  await api.kubectl(["-n", team, "delete", "endpointslice", "dev1-asleep", "--ignore-not-found"]);
  const post = (own: Kubernetes, body: object, namespace = team) =>
    answer(own, "POST", path(namespace), body);

  const labels = slice().metadata.labels;
  expect(await post(activator, slice({}, { name: "dev1" }))).toMatch(/may touch no slices but its own/);
  expect(await post(activator, slice({}, { name: "other-asleep" }))).toMatch(
    /for the Service of the container that owns it/,
  );
  expect(await post(activator, slice({}, { ownerReferences: [] }))).toMatch(
    /for the Service of the container that owns it/,
  );
  expect(
    await post(
      activator,
      slice(
        {},
        {
          labels: { ...labels, "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io" },
        },
      ),
    ),
  ).toMatch(/may touch no slices but its own/);
  expect(await post(activator, slice({ ports: [{ name: "tcp-web", port: 80 }] }))).toMatch(
    /for sshd's port alone/,
  );
  expect(
    await post(activator, slice({ endpoints: [{ addresses: ["10.0.0.1"] }, { addresses: ["10.0.0.2"] }] })),
  ).toMatch(/one address/);
  // The cluster's own slices, here the API server's.
  await install(api, [
    {
      ...slice(
        {},
        {
          name: "kubernetes-test",
          namespace: "default",
          ownerReferences: [],
          labels: { "kubernetes.io/service-name": "kubernetes" },
        },
      ),
    },
  ]);
  expect(await answer(activator, "DELETE", `${path("default")}/kubernetes-test`)).toMatch(
    /may touch no slices but its own/,
  );
  // Its twin, and that the other account may not.
  expect(await post(culler, slice())).toMatch(/cannot create resource "endpointslices"/);
  expect(await post(activator, slice())).toBe("accepted");
  expect(await answer(activator, "DELETE", `${path()}/dev1-asleep`)).toBe("accepted");
});
