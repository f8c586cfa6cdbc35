import { expect, it } from "vitest";
import { devContainerSchema } from "../dev-container/args-checks.ts";
import { misplacedIn, withResourcesRead } from "./resource-argument.ts";

const resource = (kind: string, outputs: object) => ({
  __pulumiResource: true,
  __pulumiType: `drawbridge:index:${kind}`,
  ...outputs,
});
const models = resource("StorageAccessor", { ref: { name: "models" } });
const gateway = resource("SshGateway", { ref: { name: "ssh" }, address: "192.0.2.7" });

it("reads what Python spells, where other languages have no type", () => {
  const args = {
    namespace: "team-a",
    mounts: [{ storage: models }, { storage: { name: "raw", claim_name: "raw" }, mountPath: "/raw" }],
    access: { gateway: { name: "ssh", plain_port: 80, idle: { culler_service_account_name: "culler" } } },
    env: { some_thing: "1" },
  };
  expect(withResourcesRead(devContainerSchema, args)).toEqual({
    namespace: "team-a",
    mounts: [
      { storage: { name: "models" } },
      { storage: { name: "raw", claimName: "raw" }, mountPath: "/raw" },
    ],
    access: { gateway: { name: "ssh", plainPort: 80, idle: { cullerServiceAccountName: "culler" } } },
    env: { some_thing: "1" },
  });
});

it("takes the address that is set before the component's own", () => {
  const read = (access: object) => withResourcesRead(devContainerSchema, { access });
  expect(read({ gateway })).toEqual({ access: { gateway: { name: "ssh" }, address: "192.0.2.7" } });
  expect(read({ gateway, address: "127.0.0.1" })).toEqual({
    access: { gateway: { name: "ssh" }, address: "127.0.0.1" },
  });
});

it("says below which field a component belongs that stands for a whole mount", () => {
  expect(misplacedIn(withResourcesRead(devContainerSchema, { mounts: [models] }))).toEqual([
    {
      path: ["mounts", 0],
      message: "is a StorageAccessor, which cannot stand here; set { storage: … } with it",
    },
  ]);
});
