/** Storages under the real engine, previewed with no cluster reachable. */
import {
  DevContainer,
  StorageAccessor,
  type StorageAccessorArgs,
  StorageProxy,
} from "@drawbridge-iac/drawbridge";
import * as pulumi from "@pulumi/pulumi";
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noCluster, testStack } from "../../scripts/lib/engine/engine.ts";

const password = "engine-test-password";
const proxy = { name: "files", namespace: "files", address: "192.0.2.8" };

let opened: Awaited<ReturnType<typeof testStack>>;

beforeAll(async () => {
  opened = await testStack(async () => ({}), {
    env: noCluster,
  });
});
afterAll(() => opened.removeState());

/** Previews a program: the resources it would make, those that are kept on removal, and what it said. */
async function preview(program: () => Record<string, unknown> | undefined) {
  opened.setProgram(async () => program() ?? {});
  const made: string[] = [];
  const kept: string[] = [];
  const said: string[] = [];
  const onEvent = ({ resourcePreEvent, diagnosticEvent }: EngineEvent) => {
    const state = resourcePreEvent?.metadata.new;
    if (state?.type.includes(":") && !state.type.startsWith("pulumi:")) {
      const name = state.urn.split("::").at(-1) ?? "";
      made.push(`${name} ${state.type.split(":").at(-1)}`);
      if ((state as { retainOnDelete?: boolean }).retainOnDelete) kept.push(name);
    }
    if (diagnosticEvent?.severity === "error") said.push(diagnosticEvent.message);
  };
  const output: string[] = [];
  const failed = await opened.stack
    .preview({ onEvent, onOutput: (text) => output.push(text), diff: true })
    .then(() => false)
    .catch(() => true);
  return { made: made.sort(), kept, said: said.join(""), failed, output: output.join("") };
}

const storage = (args: Partial<StorageAccessorArgs> = {}) =>
  new StorageAccessor("models", { namespace: "team-a", ...args });

const access = (args: Partial<NonNullable<StorageAccessorArgs["browse"]>> = {}) => ({
  proxy,
  credentials: [{ user: "alice", password: pulumi.secret(password) }],
  ...args,
});

describe("a storage", () => {
  it("is a claim, which is kept", async () => {
    const { made, kept, failed } = await preview(() => void storage());
    expect(failed).toBe(false);
    expect(made).toEqual(["models StorageAccessor", "models-claim PersistentVolumeClaim"]);
    expect(kept).toEqual(["models-claim"]);
  });

  it("with everything is exactly these resources", async () => {
    const jwt = { issuer: "https://id.example.com", jwks: '{"keys":[{}]}', values: ["team-a"] };
    const prepare = { image: "tools:1", revision: "2" };
    const { made, kept } = await preview(
      () =>
        void storage({
          prepare,
          browse: access({ jwt }),
        }),
    );
    expect(made).toEqual([
      "models StorageAccessor",
      "models-accessor Deployment",
      "models-claim PersistentVolumeClaim",
      "models-credentials Secret",
      "models-network NetworkPolicy",
      "models-prepare-2 Job",
      "models-service Service",
      "models-token-check ConfigMap",
    ]);
    expect(kept).toEqual(["models-claim"]);
  });

  it("on a claim that exists makes none", async () => {
    const { made } = await preview(() => void storage({ claimName: "models-storage" }));
    expect(made).toEqual(["models StorageAccessor"]);
  });

  it("keeps its address while its accessor is off", async () => {
    const { made } = await preview(() => void storage({ browse: { proxy, enabled: false } }));
    expect(made).toEqual([
      "models StorageAccessor",
      "models-claim PersistentVolumeClaim",
      "models-network NetworkPolicy",
      "models-service Service",
    ]);
  });

  it("tells its address and shows no password", async () => {
    const { output, failed } = await preview(() => ({ url: storage({ browse: access() }).url }));
    expect(failed).toBe(false);
    expect(output).toContain('url: "http://192.0.2.8/storage/team-a/models/"');
    expect(output).not.toContain(password);
    expect(output).not.toContain(Buffer.from(password).toString("base64"));
  });

  it("cannot have another one's name", async () => {
    const { failed, said } = await preview(() => {
      storage();
      new StorageAccessor("copy", { namespace: "team-a", name: "models" });
      return {};
    });
    expect(failed).toBe(true);
    expect(said).toContain(
      'name: "/storage/team-a/models" already belongs to StorageAccessor "models"; set another name or namespace for one of the two',
    );
  });

  it("is mounted by reference, with every fault of the mounts at once", async () => {
    const mounting = (gid: number) => {
      const models = storage();
      const raw = new StorageAccessor("raw", { namespace: "team-a", owner: { gid } });
      new DevContainer("dev1", {
        namespace: "team-a",
        image: "x:1",
        ssh: { mode: "none" },
        mounts: [
          { storage: models.ref, mountPath: "/models" },
          { storage: raw.ref, mountPath: "/raw" },
        ],
      });
    };
    const { failed, said } = await preview(() => void mounting(2000));
    expect(failed).toBe(true);
    expect(said).toContain('DevContainer "dev1": 2 faults in its arguments, what uses them was not made');
    expect(said).toContain("mounts[1].storage.gid: is 2000, but the container's group is 1000");
    expect(said).toContain('mounts[1].storage.colocationGroup: is "raw", but "models" is in "models"');
  });
});

it("a proxy is exactly these resources", async () => {
  const { made, failed } = await preview(
    () => void new StorageProxy("files", { loadBalancer: { preset: "generic" } }),
  );
  expect(failed).toBe(false);
  expect(made).toEqual([
    "files StorageProxy",
    "files-config ConfigMap",
    "files-disruption PodDisruptionBudget",
    "files-egress NetworkPolicy",
    "files-load-balancer Service",
    "files-namespace Namespace",
    "files-proxy Deployment",
  ]);
});
