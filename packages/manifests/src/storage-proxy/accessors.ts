/** The rule by which the proxy finds the accessors of storages, and which they keep. */
import { partLabel, prefix } from "../common/labels.ts";

/** An accessor's Service is called `<storage>-files`; the proxy knows it by that name alone. */
export const accessorSuffix = "files";

/** Labels of every accessor's pods, of whatever storage. */
export const accessorPods = { ...partLabel("storage"), [`${prefix}/role`]: "accessor" } as const;

/** Port of an accessor's Service. */
export const accessorPort = 5000;
