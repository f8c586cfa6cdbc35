import { publicImages } from "../common/images.ts";
import { objectLabels, selectorLabels } from "../common/labels.ts";
import type { Placed } from "../common/placed.ts";
import { type PodResources, podResources } from "../common/resources.ts";
import { accessorPods, accessorPort } from "../storage-proxy/accessors.ts";
import type { StorageAccessorParsed, StorageBrowseParsed } from "./args.ts";
import { type StorageNames, storageNames, storagePath } from "./names.ts";
import { nodeGroupOf } from "./node-group.ts";

/** An accessor that is switched on. */
export interface AccessorPlan extends Omit<StorageBrowseParsed, "enabled" | "resources"> {
  readonly resources: PodResources;
  /** Of the program that checks tokens. */
  readonly tokenImage: Placed<string>;
  /** Port of the dufs that asks for a user and password; undefined without credentials. */
  readonly credentialPort: number | undefined;
  /** Port, on loopback, of the dufs behind the check of tokens; undefined without jwt. */
  readonly tokenPort: number | undefined;
}

/** A storage with every default, name and port decided. */
export interface StoragePlan extends Omit<StorageAccessorParsed, "name" | "colocationGroup" | "browse"> {
  readonly name: string;
  readonly names: StorageNames;
  /** Below which path it is served, without a slash at the end. */
  readonly path: Placed<string>;
  readonly proxy: StorageBrowseParsed["proxy"] | undefined;
  /** Where the proxy is reached, if it was said beside it. */
  readonly proxyAddress: StorageBrowseParsed["proxyAddress"];
  readonly mode: StorageBrowseParsed["mode"] | undefined;
  readonly accessor: AccessorPlan | undefined;
  /** Pods that mount the volume share a node, except where many nodes may mount it. */
  readonly colocationGroup: Placed<string | undefined>;
  readonly labels: Record<string, string>;
  /** Selects the accessor's pods, never the preparation's. */
  readonly selector: Record<string, string>;
}

/** A storage whose path is known. */
export interface KnownStoragePlan extends StoragePlan {
  readonly path: string;
}

/** @param logicalName the component's name, the default for the objects' name */
export function planStorage(logicalName: string, args: StorageAccessorParsed): StoragePlan {
  const name = args.name ?? logicalName;
  const { browse } = args;
  return {
    ...args,
    name,
    names: storageNames(name, args.claimName, args.prepare?.revision ?? "1"),
    path: storagePath(args.namespace, name),
    proxy: browse?.proxy,
    proxyAddress: browse?.proxyAddress,
    mode: browse?.mode,
    accessor: browse?.enabled === true ? planAccessor(browse) : undefined,
    colocationGroup: nodeGroupOf({ ...args, name }),
    labels: objectLabels("storage", name),
    selector: { ...selectorLabels("storage", name), ...accessorPods },
  };
}

const defaultResources = { requests: { cpu: "20m", memory: "32Mi" }, limits: { memory: "256Mi" } } as const;

// Ports behind the check of tokens, which then stands on the accessor's own port.
const checked = { credentials: 5001, token: 5002 } as const;

function planAccessor(args: StorageBrowseParsed): AccessorPlan {
  const hasCredentials = args.credentials.length > 0;
  const direct = args.jwt === undefined;
  return {
    ...args,
    resources: podResources(args.resources, defaultResources),
    tokenImage: args.jwt?.image ?? publicImages.envoy,
    credentialPort: hasCredentials ? (direct ? accessorPort : checked.credentials) : undefined,
    tokenPort: direct ? undefined : checked.token,
  };
}
