import { containerBase, image } from "../host/base.trials.ts";
import type { AnyTrials } from "../kit/trials.fixture.ts";
import { labels, podMaps } from "../kubernetes/args.trials.ts";

const keyRef = { name: "settings", key: "level", optional: true };
const items = [{ key: "level", path: "level.txt", mode: 0o400 }];
const probe = { exec: { command: ["true"] }, periodSeconds: 7 };
const helper = {
  name: "helper",
  image,
  imagePullPolicy: "Always",
  command: ["run"],
  args: ["all"],
  workingDir: "/work",
  env: { STAGE: "test" },
  secretEnv: { TOKEN: "a secret" },
  envValueFrom: { LEVEL: { configMapKeyRef: keyRef } },
  envFrom: [
    { prefix: "DB_", configMapRef: { name: "settings", optional: true } },
    { secretRef: { name: "database" } },
  ],
  resources: { memory: "64Mi" },
  volumeMounts: [{ name: "settings", mountPath: "/settings", subPath: "part", readOnly: true }],
  securityContext: { readOnlyRootFilesystem: true, runAsUser: 1234, runAsGroup: 1235 },
};
const mark = { metadata: { annotations: { mark: "yes" } } };

const variables = { STAGE: "test", LEVEL: "2" };
const quantities = { memory: "64Mi", cpu: "10m" };

/** Parts of a pod for which there is no table of edits, each with all that it can hold. */
export const podParts: AnyTrials = {
  maps: {
    to: {
      ...podMaps,
      env: variables,
      resources: { requests: quantities, limits: quantities },
      ingress: [{ podLabels: labels, ports: [8080] }],
      ports: [{ name: "web", port: 8080 }],
    },
  },
  environment: {
    to: {
      envValueFrom: {
        NODE: { fieldRef: { fieldPath: "spec.nodeName" } },
        CPU: { resourceFieldRef: { containerName: "dev", resource: "limits.cpu" } },
      },
    },
  },
  helpers: {
    to: {
      pod: {
        volumes: [
          { name: "settings", configMap: { name: "settings", items, optional: true } },
          { name: "data", persistentVolumeClaim: { claimName: "data", readOnly: true } },
          { name: "key", secret: { secretName: "key", items, optional: true } },
          { name: "driver", csi: { driver: "csi.example.com", readOnly: true } },
          {
            name: "own",
            ephemeral: {
              volumeClaimTemplate: {
                spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
              },
            },
          },
          {
            name: "token",
            projected: { sources: [{ serviceAccountToken: { path: "token", audience: "vault" } }] },
          },
          {
            name: "pod",
            downwardAPI: { items: [{ path: "name", fieldRef: { fieldPath: "metadata.name" } }] },
          },
        ],
        initContainers: [helper],
        sidecars: [
          {
            ...helper,
            name: "beside",
            ports: [{ name: "web", containerPort: 8080 }],
            startupProbe: probe,
            livenessProbe: probe,
            readinessProbe: probe,
          },
        ],
      },
    },
  },
  affinity: {
    to: {
      scheduling: {
        affinity: {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              {
                topologyKey: "kubernetes.io/hostname",
                labelSelector: { matchExpressions: [{ key: "app", operator: "NotIn", values: ["noisy"] }] },
                namespaces: ["team-b"],
                namespaceSelector: { matchLabels: { kind: "team" } },
              },
            ],
          },
        },
      },
    },
  },
  patches: {
    from: { persist: { paths: ["/opt"] }, access: { ...containerBase.access, sshpod: { users: ["alice"] } } },
    to: {
      patches: Object.fromEntries(
        "workload service persist disruption network authorizedKeys hostKey sshd route sshpod sshpodBinding"
          .split(" ")
          .map((object) => [object, mark]),
      ),
    },
  },
};
