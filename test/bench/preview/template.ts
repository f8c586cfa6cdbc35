/** Prints what one container comes to, so that the raw program makes exactly the same objects. */
import { deletionPolicy, ifAny } from "@drawbridge-iac/drawbridge/src/kubernetes/manifest";
import * as pulumi from "@pulumi/pulumi";
import { container } from "./components.ts";
import { placeholder } from "./job.ts";
import type { Template } from "./raw.ts";

const objects: { type: string; suffix: string; object: object }[] = [];

/** Without the annotation that makes its deletion faster, which nobody writes by hand. */
function asByHand({ metadata, ...object }: { metadata: { annotations?: Record<string, string> } }): object {
  const annotations = Object.entries(metadata.annotations ?? {}).filter(([key]) => key !== deletionPolicy);
  return { ...object, metadata: { ...metadata, annotations: ifAny(Object.fromEntries(annotations)) } };
}

await pulumi.runtime.setMocks({
  newResource({ type, name, inputs }) {
    const suffix = name.slice(placeholder.length + 1);
    if (suffix !== "") objects.push({ type, suffix, object: asByHand(inputs) });
    return { id: name, state: inputs };
  },
  call: () => ({}),
});

const { sshConfig, knownHosts } = container(placeholder);
const texts = { sshConfig: "", knownHosts: "" };
sshConfig.apply((text) => {
  texts.sshConfig = text ?? "";
});
knownHosts.apply((text) => {
  texts.knownHosts = text ?? "";
});

// When nothing is left to do, every registration has arrived; the workload's last, since it depends on the others.
process.once("beforeExit", () => {
  process.stdout.write(JSON.stringify({ objects, ...texts } satisfies Template));
});
