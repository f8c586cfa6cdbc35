/** Faults that show only when fields of a storage's arguments are seen together. */

import { nameOf, type Placed } from "../common/placed.ts";
import { checkPodMetadata, type PodMetadata } from "../common/pod-metadata.ts";
import { checkResources, type ResourcesParsed } from "../common/resources.ts";
import type { RaiseFault } from "../common/schema.ts";

interface Args extends PodMetadata {
  namespace: string;
  accessMode: string;
  claimName?: Placed<string> | undefined;
  storageClassName?: unknown;
  prepare?:
    | {
        command?: string[] | undefined;
        args?: string[] | undefined;
        copyFrom?: { namespace: string } | undefined;
        resources?: ResourcesParsed | undefined;
      }
    | undefined;
  browse?:
    | {
        enabled: boolean;
        allow: string[];
        credentials: { user: string; write: boolean }[];
        jwt?: { write: boolean } | undefined;
        resources?: ResourcesParsed | undefined;
      }
    | undefined;
}

export function checkStorage(args: Partial<Args>, fault: RaiseFault): void {
  if (args.claimName !== undefined && args.storageClassName !== undefined) {
    fault(
      ["storageClassName"],
      `has no effect on the existing claim${nameOf(args.claimName)}; remove one of the two`,
    );
  }
  checkPodMetadata(args, fault);
  preparation(args, fault);
  checkResources(["prepare", "resources"], args.prepare?.resources, fault);
  checkResources(["browse", "resources"], args.browse?.resources, fault);
  if (args.browse !== undefined && args.browse !== null) browsing(args.browse, args.accessMode, fault);
}

function preparation({ namespace, prepare }: Partial<Args>, fault: RaiseFault): void {
  const source = prepare?.copyFrom;
  if (source === undefined) return;
  if (prepare?.command !== undefined || prepare?.args !== undefined) {
    fault(
      ["prepare"],
      "has both copyFrom and a command; copy first, then run the command under another revision",
    );
  }
  if (source?.namespace !== namespace) {
    fault(
      ["prepare", "copyFrom", "namespace"],
      `is ${JSON.stringify(source?.namespace)}, but a pod mounts volumes of its own namespace only; copy from a storage in ${JSON.stringify(namespace)}`,
    );
  }
}

function browsing(
  browse: NonNullable<Args["browse"]>,
  accessMode: string | undefined,
  fault: RaiseFault,
): void {
  if (browse.enabled === false) return;
  const credentials = Array.isArray(browse.credentials) ? browse.credentials : [];
  const allow = Array.isArray(browse.allow) ? browse.allow : [];
  if (credentials.length === 0 && browse.jwt === undefined) {
    fault(["browse"], "lets nobody in; give credentials, jwt or both, or set enabled: false");
  }
  if (accessMode === "ReadWriteOncePod") {
    fault(
      ["accessMode"],
      "ReadWriteOncePod lets a single pod in, so browsing would lock every container out; use ReadWriteOnce or ReadWriteMany, or leave browse out",
    );
  }
  const writes = allow.includes("upload") || allow.includes("delete");
  const pointless = "has no effect: browse.allow holds neither upload nor delete";
  credentials.forEach((credential, index) => {
    if (credential?.write === true && !writes) fault(["browse", "credentials", index, "write"], pointless);
    const first = credentials.findIndex((other) => other?.user === credential?.user);
    if (first < index) {
      fault(
        ["browse", "credentials", index, "user"],
        `${JSON.stringify(credential?.user)} is the user of credentials[${first}] too; give each user once`,
      );
    }
  });
  if (browse.jwt?.write === true && !writes) fault(["browse", "jwt", "write"], pointless);
  const duplicate = allow.find((action, index) => allow.indexOf(action) < index);
  if (duplicate !== undefined) fault(["browse", "allow"], `names ${duplicate} twice`);
}
