import { configMap } from "../common/data.ts";
import type { Container, Volume } from "../common/kinds.ts";
import type { Manifest } from "../common/manifest.ts";
import type { Placed } from "../common/placed.ts";
import { restrictedContainer } from "../common/security.ts";
import { accessorPort } from "../storage-proxy/accessors.ts";
import { probe } from "./dufs.ts";
import type { AccessorPlan, StoragePlan } from "./plan.ts";

const configFolder = "/etc/drawbridge/token-check";

/** @param config text of what tokenCheckConfig made */
export function tokenCheckConfigMap(plan: StoragePlan, config: Placed<string>): Manifest<"ConfigMap"> {
  return configMap(plan.names.tokenCheck, plan, { "envoy.json": config });
}

/** Checks tokens in front of dufs. It costs about 30 MiB, so it is there only where tokens are taken. */
export function tokenCheck(plan: StoragePlan, accessor: AccessorPlan): Container {
  return {
    name: "token-check",
    image: accessor.tokenImage,
    imagePullPolicy: accessor.imagePullPolicy,
    command: ["/usr/local/bin/envoy"],
    args: ["--config-path", `${configFolder}/envoy.json`, "--disable-hot-restart", "--concurrency", "1"],
    ports: [{ name: "http", containerPort: accessorPort, protocol: "TCP" }],
    readinessProbe: probe(plan, accessorPort),
    resources: accessor.resources,
    securityContext: { ...restrictedContainer, readOnlyRootFilesystem: true },
    volumeMounts: [{ name: "token-check", mountPath: configFolder, readOnly: true }],
  };
}

export function tokenCheckVolume(plan: StoragePlan): Volume {
  return { name: "token-check", configMap: { name: plan.names.tokenCheck } };
}
