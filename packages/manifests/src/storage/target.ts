/** What the `drawbridge` command lists of a storage: plain data, an output of the stack. It holds no secret. */
import { z } from "zod";
import { code } from "../common/fault.ts";
import { strict } from "../common/schema.ts";
import { dnsLabel } from "../common/shapes.ts";
import { storageName } from "./ref.ts";

/** Marks a storage among the outputs of a stack. */
export const storageTargetKind = "drawbridge/storage-target/v1";

export const storageTargetSchema = strict({
  kind: z.literal(storageTargetKind),
  name: storageName,
  namespace: dnsLabel,
  /** `Preparing`, `Ready`, or `Failed: ` with the reason, when Pulumi last looked. */
  state: z.string(),
  /** Where its files are seen; absent without an accessor. */
  url: z.url({ protocol: /^https?$/, error: code("not-an-http-address") }).optional(),
});

export type StorageTarget = z.output<typeof storageTargetSchema>;
