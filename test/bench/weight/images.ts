/** The images' sizes as the node counts them. */
import { imageRef } from "../../../packages/lab/src/images/index.ts";
import { imageBytes } from "../support/kubelet.ts";
import type { Recorder } from "../support/samples.ts";

/** Images of ours that a cluster pulls; the dev container's holds Debian with the tools that people use. */
const images = ["devcontainer", "sshd-bundle", "frps", "frpc", "programs", "dufs"] as const;

export async function weighImages(recorder: Recorder): Promise<void> {
  for (const name of images) {
    const bytes = await imageBytes(imageRef(name));
    if (bytes === undefined) throw new Error(`no node has the image ${imageRef(name)}`);
    recorder.add("drawbridge", `image_${name.replaceAll("-", "_")}`, bytes);
  }
}
