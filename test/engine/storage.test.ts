/** Storages under the real engine, previewed with no cluster reachable. */
import { DevContainer, StorageAccessor, type StorageAccessorArgs } from "@drawbridge-iac/drawbridge";
import * as pulumi from "@pulumi/pulumi";
import { describe, expect, it } from "vitest";
import { previews } from "../support/previewed.ts";

const password = "engine-test-password";
const proxy = { name: "files", namespace: "files", address: "192.0.2.8" };

const { previewed } = previews();
const preview = (program: () => Record<string, unknown> | undefined) =>
  previewed(async () => program() ?? {});

const storage = (args: Partial<StorageAccessorArgs> = {}) =>
  new StorageAccessor("models", { namespace: "team-a", ...args });

const access = (args: Partial<NonNullable<StorageAccessorArgs["browse"]>> = {}) => ({
  proxy,
  credentials: [{ user: "alice", password: pulumi.secret(password) }],
  ...args,
});

/** Which objects there are, and what is kept of them: test/recorded. */
describe("a storage", () => {
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
    expect(said.join("")).toContain(
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
    expect(said.join("")).toContain(
      'DevContainer "dev1": 2 faults in its arguments, what uses them was not made',
    );
    expect(said.join("")).toContain("mounts[1].storage.gid: is 2000, but the container's group is 1000");
    expect(said.join("")).toContain(
      'mounts[1].storage.colocationGroup: is "raw", but "models" is in "models"',
    );
  });
});
