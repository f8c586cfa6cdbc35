/** A file server's pod: the file servers, and the check of tokens in front of them. */

import { withoutSidecar } from "../istio/data-plane.ts";
import type { Input } from "../kit/input.ts";
import { configMap } from "../kubernetes/data.ts";
import { envoyContainer } from "../kubernetes/envoy.ts";
import type { Container } from "../kubernetes/kinds.ts";
import { prefix } from "../kubernetes/labels.ts";
import { compact, type Manifest } from "../kubernetes/manifest.ts";
import { nodeGroupScheduling, sharedGroup } from "../kubernetes/node-group.ts";
import { podScheduling } from "../kubernetes/scheduling.ts";
import { restrictedPod } from "../kubernetes/security.ts";
import { deployment } from "../kubernetes/workload.ts";
import { fileServerPort } from "../storage-proxy/ref.ts";
import { credentialDufs, probe, tokenDufs } from "./dufs.ts";
import type { FileServerPlan, StoragePlan } from "./plan.ts";

/** @param marks of what a running file server does not read again, by name; another mark restarts it */
export function fileServerDeployment(
  plan: StoragePlan,
  fileServer: FileServerPlan,
  marks: Readonly<Record<string, Input<string>>>,
): Manifest<"Deployment"> {
  const scheduling = nodeGroupScheduling(sharedGroup([plan]));
  const markAnnotations = Object.entries(marks).map(([name, mark]) => [`${prefix}/${name}`, mark]);
  const { credentialPort, tokenPort } = fileServer;
  return deployment({
    ...plan,
    name: plan.names.fileServer,
    replicas: 1,
    podLabels: {
      ...plan.selector,
      ...scheduling.labels,
      ...withoutSidecar,
      ...plan.podLabels,
    },
    podAnnotations: { ...Object.fromEntries(markAnnotations), ...plan.podAnnotations },
    pod: compact({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      // dufs does not heed the signal to end, so running downloads have this long.
      terminationGracePeriodSeconds: 10,
      securityContext: restrictedPod(plan.owner.uid, plan.owner.gid),
      ...podScheduling(plan.scheduling, { selector: plan.selector, podAffinity: scheduling.podAffinity }),
      containers: [
        ...(credentialPort === undefined ? [] : [credentialDufs(plan, fileServer, credentialPort)]),
        ...(tokenPort === undefined
          ? []
          : [tokenDufs(plan, fileServer, tokenPort), tokenCheck(plan, fileServer)]),
      ],
      volumes: [
        { name: "storage", persistentVolumeClaim: { claimName: plan.names.claim } },
        ...(tokenPort === undefined
          ? []
          : [{ name: "token-check", configMap: { name: plan.names.tokenCheck } }]),
      ],
    }),
  });
}

const configFolder = "/etc/drawbridge/token-check";

/** @param config text of what tokenCheckConfig made */
export function tokenCheckConfigMap(plan: StoragePlan, config: Input<string>): Manifest<"ConfigMap"> {
  return configMap(plan.names.tokenCheck, plan, { "envoy.json": config });
}

/** Checks tokens in front of dufs. It costs about 30 MiB, so it is there only where tokens are taken. */
function tokenCheck(plan: StoragePlan, fileServer: FileServerPlan): Container {
  return {
    ...envoyContainer({
      ...fileServer,
      image: fileServer.tokenImage,
      name: "token-check",
      folder: configFolder,
      config: "token-check",
      concurrency: 1,
    }),
    ports: [{ name: "http", containerPort: fileServerPort, protocol: "TCP" }],
    readinessProbe: probe(plan, fileServerPort),
  };
}
