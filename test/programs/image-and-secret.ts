/** The image is built, and the Secret made, by the same program. */
import { DevContainer } from "@drawbridge-iac/drawbridge";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { base } from "./base.ts";

/** As a build's output is: known only when the build has run. */
const built = () => pulumi.output(Promise.resolve("registry.example.com/team/built:1.0.1"));

export default function program() {
  const pull = new k8s.core.v1.Secret("pull", {
    metadata: { namespace: "team-a" },
    type: "kubernetes.io/dockerconfigjson",
    stringData: { ".dockerconfigjson": "{}" },
  });
  new DevContainer("dev1", { ...base(), image: built(), pod: { imagePullSecrets: [pull.metadata.name] } });
}
