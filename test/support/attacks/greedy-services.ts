/** Services of which each takes much of what all share. */
import type { ApiObject } from "./api-user.ts";

export const manyPorts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `tcp-${index}`, port: 1000 + index }));

/** With labels of 60 bytes each, as text. */
export const labelled = (object: ApiObject, count: number): ApiObject => {
  const labels = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`own-${10_000 + index}`, "x".repeat(50)]),
  );
  return { ...object, metadata: { ...object.metadata, labels } };
};
