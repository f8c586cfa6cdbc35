import { frpsPorts } from "../host/ways/frp.ts";
import { hashOf } from "../kit/crypto.ts";
import type { Input } from "../kit/input.ts";
import type { Container, PodSpec } from "../kubernetes/kinds.ts";
import { prefix } from "../kubernetes/labels.ts";
import type { Manifest } from "../kubernetes/manifest.ts";
import { apiAccess } from "../kubernetes/pod.ts";
import { podScheduling } from "../kubernetes/scheduling.ts";
import { groupReadable, programPod, restrictedContainer } from "../kubernetes/security.ts";
import { deployment } from "../kubernetes/workload.ts";
import {
  frpsFile,
  frpsPaths,
  frpsToml,
  metricsPasswordKey,
  metricsPasswordVariable,
  unitsFile,
  unitsPath,
} from "./configuration.ts";
import type { FrpServerPlan } from "./plan.ts";

/**
 * One frps: it cannot share a name with a second one. In an update the new one is ready before the old one
 * stops, so frpc's first attempt to reconnect succeeds.
 * @param certificateHash changes when frps's certificate does, which frps reads only at start
 */
export function frpsDeployment(plan: FrpServerPlan, certificateHash: Input<string>): Manifest<"Deployment"> {
  return deployment({
    ...plan,
    name: plan.names.workload,
    replicas: 1,
    podAnnotations: {
      [`${prefix}/frps-config`]: hashOf(frpsToml()),
      [`${prefix}/frps-certificate`]: certificateHash,
      "kubectl.kubernetes.io/default-container": "frps",
      ...plan.podAnnotations,
    },
    pod: podSpec(plan),
  });
}

function podSpec(plan: FrpServerPlan): PodSpec {
  return {
    serviceAccountName: plan.names.serviceAccount,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    // frps cannot drain; a longer wait would only keep frpc connected to a server that is about to go.
    terminationGracePeriodSeconds: 5,
    securityContext: programPod,
    ...podScheduling(plan.scheduling, { selector: plan.selector }),
    initContainers: [authorizer(plan)],
    containers: [frps(plan)],
    volumes: [
      { name: "configuration", configMap: { name: plan.names.configuration } },
      { name: "certificate", secret: { secretName: plan.names.certificate, defaultMode: groupReadable } },
      { name: "units", configMap: { name: plan.names.units } },
      apiAccess.volume,
    ],
  };
}

// A restart cuts every session, so a node that is merely busy must not cause one.
const lenientProbe = { periodSeconds: 10, failureThreshold: 6, timeoutSeconds: 5 };

/** Restartable and first, so that frps never runs without someone to ask. */
function authorizer(plan: FrpServerPlan): Container {
  const health = { httpGet: { path: "/healthz", port: frpsPorts.authorizerMetrics } };
  return {
    name: "authorizer",
    image: plan.authorizer.image,
    imagePullPolicy: plan.imagePullPolicy,
    restartPolicy: "Always",
    args: [
      `--port=${frpsPorts.authorizer}`,
      `--metrics-port=${frpsPorts.authorizerMetrics}`,
      `--units=${unitsPath}/${unitsFile}`,
      `--api-access=${apiAccess.mount.mountPath}`,
    ],
    ports: [{ name: "auth-metrics", containerPort: frpsPorts.authorizerMetrics, protocol: "TCP" }],
    startupProbe: { ...health, periodSeconds: 1, failureThreshold: 60 },
    livenessProbe: { ...health, ...lenientProbe },
    resources: plan.authorizer.resources,
    securityContext: { ...restrictedContainer, readOnlyRootFilesystem: true },
    volumeMounts: [{ name: "units", mountPath: unitsPath, readOnly: true }, apiAccess.mount],
  };
}

function frps(plan: FrpServerPlan): Container {
  const health = { httpGet: { path: "/healthz", port: frpsPorts.metrics } };
  return {
    name: "frps",
    image: plan.image,
    imagePullPolicy: plan.imagePullPolicy,
    args: ["-c", `${frpsPaths.configuration}/${frpsFile}`],
    env: [
      {
        name: metricsPasswordVariable,
        valueFrom: { secretKeyRef: { name: plan.names.metrics, key: metricsPasswordKey } },
      },
    ],
    ports: [
      { name: "frpc", containerPort: frpsPorts.server, protocol: "TCP" },
      { name: "connect", containerPort: frpsPorts.connect, protocol: "TCP" },
      { name: "metrics", containerPort: frpsPorts.metrics, protocol: "TCP" },
    ],
    startupProbe: { ...health, periodSeconds: 1, failureThreshold: 60 },
    readinessProbe: { ...health, periodSeconds: 5, failureThreshold: 3, timeoutSeconds: 5 },
    livenessProbe: { ...health, ...lenientProbe },
    resources: plan.resources,
    securityContext: { ...restrictedContainer, readOnlyRootFilesystem: true },
    volumeMounts: [
      { name: "configuration", mountPath: frpsPaths.configuration, readOnly: true },
      { name: "certificate", mountPath: frpsPaths.certificate, readOnly: true },
    ],
  };
}
