import { text } from "../kit/input.ts";
import { planPod } from "../kubernetes/args.ts";
import { publicImages } from "../kubernetes/images.ts";
import { objectLabels, selectorLabels } from "../kubernetes/labels.ts";
import { joinName } from "../kubernetes/names.ts";
import { nodeGroupOf } from "../kubernetes/node-group.ts";
import { podResources } from "../kubernetes/resources.ts";
import { fileServerPods, fileServerPort, fileServerSuffix } from "../storage-proxy/ref.ts";
import { defaultResources, type StorageAccessorParsed, type StorageBrowseParsed } from "./args.ts";

/** A file server that is switched on. */
export type FileServerPlan = ReturnType<typeof planFileServer>;

/** A storage with every default, name and port decided. */
export type StoragePlan = ReturnType<typeof planStorage>;

/** A storage whose path is known. */
export type KnownStoragePlan = StoragePlan & { readonly path: string };

/** @param logicalName the component's name, the default for the objects' name */
export function planStorage(logicalName: string, args: StorageAccessorParsed) {
  const name = args.name ?? logicalName;
  const { browse } = args;
  return {
    ...args,
    ...planPod(args.pod),
    name,
    names: {
      // Where the data is: it never changes.
      claim: args.claimName ?? joinName(name, "storage"),
      // Another revision is another Job.
      prepare: joinName(name, `prepare-${args.prepare?.revision ?? "1"}`),
      // Secret with the values of the preparation's `secretEnv`.
      prepareEnv: joinName(name, "prepare-env"),
      fileServer: joinName(name, fileServerSuffix),
      credentials: joinName(name, "credentials"),
      tokenCheck: joinName(name, "token-check"),
    },
    // Where it stands at its proxy, without a slash at the end.
    path: text`/storage/${args.namespace}/${name}`,
    proxy: browse?.proxy,
    // Where the proxy is reached, if it was said beside it.
    address: browse?.address,
    fileServer: browse?.enabled === true ? planFileServer(browse) : undefined,
    // Pods that mount the volume share a node, except where many nodes may mount it.
    colocationGroup: nodeGroupOf({ ...args, name }),
    labels: objectLabels("storage", name),
    // Of the file server's pods, never the preparation's.
    selector: { ...selectorLabels("storage", name), ...fileServerPods },
  };
}

// Where the file servers listen if the check of tokens has the file server's own port.
const portsBehindCheck = { credentials: 5001, token: 5002 } as const;

function planFileServer(args: StorageBrowseParsed) {
  const hasCredentials = args.credentials.length > 0;
  const direct = args.jwt === undefined;
  return {
    ...args,
    resources: podResources(args.resources, defaultResources),
    // Of the program that checks tokens.
    tokenImage: args.jwt?.image ?? publicImages.envoy,
    credentialPort: hasCredentials ? (direct ? fileServerPort : portsBehindCheck.credentials) : undefined,
    tokenPort: direct ? undefined : portsBehindCheck.token,
  };
}
