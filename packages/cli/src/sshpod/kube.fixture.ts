import { type Kube, KubeError } from "./kube.ts";

/** A context whose API has these objects, by their path after `namespaces/`; a number is a refusal with that status. */
export const kubeWith = (objects: Readonly<Record<string, unknown>>): Kube =>
  ({
    context: "lab",
    namespace: "team-a",
    get: async (path: string) => {
      const { pathname, searchParams } = new URL(path, "http://api");
      const labels = searchParams.get("labelSelector");
      const key = pathname.replace(/^.*\/namespaces\//, "") + (labels === null ? "" : `?${labels}`);
      const answer = objects[key] ?? 404;
      if (typeof answer === "number") throw new KubeError(answer, "not for you");
      return answer;
    },
  }) as unknown as Kube;
