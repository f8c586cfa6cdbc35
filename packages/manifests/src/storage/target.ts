/** What the `drawbridge` command lists of a storage: plain data, an output of the stack. It holds no secret. */
import { z } from "zod";
import { arg, group } from "../common/arg.ts";
import { code } from "../common/fault.ts";
import { dnsLabel } from "../common/shapes.ts";
import { storageName } from "./ref.ts";

/** Marks a storage among the outputs of a stack. */
export const storageTargetKind = "drawbridge/storage-target/v1";

export const storageTargetSchema = group(
  "StorageTarget",
  "What the `drawbridge` command lists of a storage. It holds no secret.",
  {
    kind: arg(z.literal(storageTargetKind), "Marks it among a stack's outputs."),
    name: arg(storageName, "The storage's name."),
    namespace: arg(dnsLabel, "Its namespace."),
    state: arg(z.string(), "`Preparing`, `Ready`, or `Failed: ` with the reason, when Pulumi last looked."),
    url: arg(
      z.url({ protocol: /^https?$/, error: code("not-an-http-address") }).optional(),
      "Where its files are seen; absent without an accessor.",
    ),
  },
  { isOutput: true },
);

export type StorageTarget = z.output<typeof storageTargetSchema>;
