import { at, type Rule } from "../finding.ts";

export const imageNotPinned: Rule = {
  name: "image-not-pinned",
  protects: "repeatability: the same stack runs the same programs tomorrow",
  check: (change) => {
    if (!["create", "update", "create-replacement", "replace"].includes(change.op)) return [];
    return podImages(change.after)
      .filter((image) => !isPinned(image))
      .map((image) => `${change.name} would run the image ${image}, which is not pinned by a tag or digest`);
  },
};

/** The images of a workload's pod template, or of a pod. */
function podImages(inputs: unknown): string[] {
  const pod = at(inputs, "spec", "template", "spec") ?? at(inputs, "spec");
  const containers = [at(pod, "containers"), at(pod, "initContainers")]
    .filter(Array.isArray)
    .flat() as unknown[];
  return containers.map((container) => at(container, "image")).filter((image) => typeof image === "string");
}

/** Istio's injection replaces `auto` by the image of its own version. */
function isPinned(image: string): boolean {
  if (image === "auto" || image.includes("@sha256:")) return true;
  const tag = /:([A-Za-z0-9_][A-Za-z0-9_.-]*)$/.exec(image)?.[1];
  return tag !== undefined && tag !== "latest";
}
