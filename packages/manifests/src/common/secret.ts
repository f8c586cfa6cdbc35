import { type Manifest, type Metadata, metadataOf } from "./manifest.ts";
import type { Owner } from "./own-namespace.ts";
import { type Placed, whenKnown } from "./placed.ts";

/** A Secret with these texts, of which each comes out in base64, as the cluster keeps it. */
export function secret(
  name: Placed<string>,
  owner: Owner,
  texts: Readonly<Record<string, Placed<string> | undefined>>,
  { type = "Opaque", annotations }: { type?: string; annotations?: Metadata["annotations"] } = {},
): Manifest<"Secret"> {
  const metadata = metadataOf(name, owner, annotations);
  const data = Object.entries(texts).flatMap(([key, text]) =>
    text === undefined ? [] : [[key, whenKnown(text, base64)] as const],
  );
  return { apiVersion: "v1", kind: "Secret", metadata, type, data: Object.fromEntries(data) };
}

const base64 = (text: string) => Buffer.from(text).toString("base64");
