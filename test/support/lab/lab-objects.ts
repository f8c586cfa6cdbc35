/** Kubernetes objects for the tests of the lab itself, all in one namespace of the test's own. */
import { ingressWorkload } from "./ingress-workload.ts";

export const namespace = `lab-test-${process.pid}`;
const image = "drawbridge.local/busybox:lab";

export function claim(name: string, storage: string, spec: object = {}): object {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name, namespace },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } }, ...spec },
  };
}

export function pod(name: string, labels: object, script: string, data?: string, spec: object = {}): object {
  const mount = data === undefined ? {} : { volumeMounts: [{ name: "data", mountPath: "/data" }] };
  const volume =
    data === undefined ? {} : { volumes: [{ name: "data", persistentVolumeClaim: { claimName: data } }] };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace, labels },
    spec: {
      terminationGracePeriodSeconds: 1,
      securityContext: {
        runAsUser: 1000,
        runAsGroup: 1000,
        fsGroup: 1000,
        runAsNonRoot: true,
        seccompProfile: { type: "RuntimeDefault" },
      },
      containers: [
        {
          name: "main",
          image,
          command: ["sh", "-c", script],
          ports: [{ name: "http", containerPort: 8080 }],
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
          ...mount,
        },
      ],
      ...volume,
      ...spec,
    },
  };
}

export function service(name: string, selector: object, spec: object = {}): object {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace },
    spec: { type: "LoadBalancer", selector, ports: [{ port: 80, targetPort: "http" }], ...spec },
  };
}

export function policy(name: string, role: string, spec: object): object {
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name, namespace },
    spec: { podSelector: { matchLabels: { role } }, ...spec },
  };
}

/** A gateway by injection, with one route to the Service `web`. */
export function gateway(edge: string): object[] {
  const labels = { istio: "lab-test" };
  return [
    ...ingressWorkload({
      name: "gateway",
      namespace: edge,
      selector: labels,
      port: { name: "http", port: 80, targetPort: 8080 },
    }),
    {
      apiVersion: "networking.istio.io/v1",
      kind: "Gateway",
      metadata: { name: "gateway", namespace: edge },
      spec: {
        selector: labels,
        servers: [{ port: { number: 80, name: "http", protocol: "HTTP" }, hosts: ["*"] }],
      },
    },
    {
      apiVersion: "networking.istio.io/v1",
      kind: "VirtualService",
      metadata: { name: "web", namespace },
      spec: {
        hosts: ["web.example.com"],
        gateways: [`${edge}/gateway`],
        http: [
          { route: [{ destination: { host: `web.${namespace}.svc.cluster.local`, port: { number: 80 } } }] },
        ],
      },
    },
  ];
}
