import { says } from "../common/fault.ts";
import { imageReference } from "../common/shapes.ts";

/**
 * The oldest frp that is accepted. Older ones leak control connections when a half-open one is replaced, and
 * lack checks that the authorizer relies on.
 */
export const minimumFrpVersion = "0.70.1";

/** A pinned frps or frpc image. A version in the tag is compared; other tags and digests pass unlooked at. */
export const frpImage = imageReference.refine(
  (value) => !isTooOld(value),
  says("frp-too-old", { least: minimumFrpVersion }),
);

function isTooOld(image: string): boolean {
  const version = /:v?(\d+)\.(\d+)\.(\d+)$/.exec(image)?.slice(1).map(Number);
  if (version === undefined) return false;
  const minimum = minimumFrpVersion.split(".").map(Number);
  const differing = minimum.findIndex((part, index) => part !== version[index]);
  return differing >= 0 && (version[differing] ?? 0) < (minimum[differing] ?? 0);
}
