import { objectLabels, selectorLabels } from "../common/labels.ts";
import { defaultEnvoyImage } from "../storage-proxy/plan.ts";
import type { StorageAccessorParsed, StorageAccessParsed } from "./args.ts";
import { accessorPods, accessorPort, type StorageNames, storageNames, storagePath } from "./names.ts";
import { nodeGroupOf } from "./node-group.ts";

/** An accessor that is switched on. */
export interface AccessorPlan extends Omit<StorageAccessParsed, "enabled" | "guardImage"> {
  readonly guardImage: string;
  /** Port of the dufs that asks for a user and password; undefined without credentials. */
  readonly credentialPort: number | undefined;
  /** Port, on loopback, of the dufs behind the guard that checked a token; undefined without jwt. */
  readonly tokenPort: number | undefined;
}

/** A storage with every default, name and port decided. */
export interface StoragePlan extends Omit<StorageAccessorParsed, "name" | "nodeGroup" | "accessor"> {
  readonly name: string;
  readonly names: StorageNames;
  /** Below which path it is served, without a slash at the end. */
  readonly path: string;
  readonly proxy: StorageAccessParsed["proxy"] | undefined;
  readonly accessor: AccessorPlan | undefined;
  /** Pods that mount the volume share a node, except where many nodes may mount it. */
  readonly nodeGroup: string | undefined;
  readonly labels: Record<string, string>;
  /** Selects the accessor's pods, never the preparation's. */
  readonly selector: Record<string, string>;
}

/** @param logicalName the component's name, the default for the objects' name */
export function planStorage(logicalName: string, args: StorageAccessorParsed): StoragePlan {
  const name = args.name ?? logicalName;
  const { accessor } = args;
  return {
    ...args,
    name,
    names: storageNames(name, args.claim, args.prepare?.revision ?? "1"),
    path: storagePath(args.namespace, name),
    proxy: accessor?.proxy,
    accessor: accessor?.enabled === true ? planAccessor(accessor) : undefined,
    nodeGroup: nodeGroupOf({ ...args, name }),
    labels: objectLabels("storage", name),
    selector: { ...selectorLabels("storage", name), ...accessorPods },
  };
}

// Ports behind the guard, which then stands on the accessor's own port.
const guarded = { credentials: 5001, token: 5002 } as const;

function planAccessor(args: StorageAccessParsed): AccessorPlan {
  const hasCredentials = args.credentials.length > 0;
  const direct = args.jwt === undefined;
  return {
    ...args,
    guardImage: args.guardImage ?? defaultEnvoyImage,
    credentialPort: hasCredentials ? (direct ? accessorPort : guarded.credentials) : undefined,
    tokenPort: direct ? undefined : guarded.token,
  };
}
