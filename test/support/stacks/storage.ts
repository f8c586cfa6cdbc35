/** What the storage tests ship: a proxy, and accessors with the lab's images. */
import {
  StorageAccessor,
  type StorageAccessorArgs,
  StorageProxy,
  type StorageProxyArgs,
} from "@drawbridge-iac/drawbridge";
import type { Resource } from "@pulumi/pulumi";
import { imageRef } from "../../../packages/lab/src/images/index.ts";

/** A reader's credential, for tests alone. */
export const reader = { user: "alice", password: "read-only-for-tests" };
/** A writer's credential, for tests alone. */
export const writer = { user: "bob", password: "may-write-for-tests", write: true };

export const login = ({ user, password }: { user: string; password: string }): string[] => [
  "-u",
  `${user}:${password}`,
];

/** A proxy of one pod that stops quickly. */
export function testProxy(name: string, args: Partial<StorageProxyArgs> = {}): StorageProxy {
  return new StorageProxy(name, {
    replicas: 1,
    drainSeconds: 3,
    resources: { requests: { cpu: "20m", memory: "64Mi" } },
    image: imageRef("proxyv2"),
    loadBalancer: { preset: "generic" },
    ...args,
  });
}

/** An accessor's arguments with the lab's images and a reader. */
export function testAccess(
  proxy: StorageProxy,
  args: Partial<NonNullable<StorageAccessorArgs["browse"]>> = {},
): NonNullable<StorageAccessorArgs["browse"]> {
  return {
    proxy,
    image: imageRef("dufs"),
    credentials: [reader],
    ...args,
    ...(args.jwt === undefined ? {} : { jwt: { image: imageRef("proxyv2"), ...args.jwt } }),
  };
}

/** A small storage. */
export function testStorage(
  name: string,
  args: Partial<StorageAccessorArgs> & Pick<StorageAccessorArgs, "namespace">,
  dependsOn: Resource[] = [],
): StorageAccessor {
  return new StorageAccessor(name, { size: "64Mi", ...args }, { dependsOn });
}

/** A preparation by a shell script. */
export function prepareWith(script: string): NonNullable<StorageAccessorArgs["prepare"]> {
  return { image: imageRef("busybox"), command: ["sh", "-euc"], args: [script] };
}
