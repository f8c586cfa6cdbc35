/** How the proxy finds the accessors of storages, which hold to it. */
import { partLabel, prefix } from "../common/labels.ts";

/** `<name>-files` is the Service of a storage's accessor: the proxy finds it by this rule alone. */
export const accessorSuffix = "files";

/** Labels of every accessor's pods, of whatever storage. */
export const accessorPods = {
  ...partLabel("storage"),
  [`${prefix}/role`]: "accessor",
} as const;

/** Port of that Service. */
export const accessorPort = 5000;
