import { below, type Trial, type Trials } from "../kit/trials.fixture.ts";
import type { resourcesSchema } from "./resources.ts";

/** Of a group of resources that stands at `path`, in both forms. */
export function resourcesTrials<const P extends string>(path: P, more: Pick<Trial, "from" | "verdict"> = {}) {
  const set = (value: unknown): Trial => ({ verdict: "restarts", ...more, value });
  return below(path, {
    cpu: set("2"),
    memory: set("3Gi"),
    requests: set({ cpu: "2" }),
    limits: set({ cpu: "4" }),
  } satisfies Trials<typeof resourcesSchema>);
}
