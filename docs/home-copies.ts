/** Copies of homes by restic: copy this file beside your program. The page home-copies.md says how. */
import * as k8s from "@pulumi/kubernetes";
import type { Input } from "@pulumi/pulumi";

export interface Home {
  container: string;
  /** Begins the names of what is made, and is the host of the copies; by default the container's. */
  name?: string;
  namespace: string;
  /** The claim of its home, `<container>-home` unless it was adopted. */
  claim: Input<string>;
  /** Has restic and a shell. */
  image: string;
  /** A Secret with `repository` (restic's address of it) and `password`. */
  secret: Input<string>;
  /** Where the repository answers: anywhere in the internet, or only there. */
  repository: { port: number; cidrs?: string[] };
  /** The container's user and group, as in its `user`. */
  uid?: number;
}

/** Copies the home by a schedule; with `keep` old copies are removed, which not every repository allows. */
export function homeCopies(home: Home & { schedule: string; keep?: string }) {
  const { container, name = container, namespace, schedule, keep } = home;
  const forget = `restic unlock; restic forget --host ${name} ${keep} --prune`;
  const script = `restic cat config >/dev/null || restic init
    restic backup --host ${name} --exclude-caches --one-file-system /home
    ${keep === undefined ? "" : forget}`;
  const template = pod(home, home.claim, true, script);
  return new k8s.batch.v1.CronJob(
    `${name}-copies`,
    {
      metadata: { name: `${name}-copies`, namespace },
      spec: {
        schedule,
        timeZone: "Etc/UTC",
        concurrencyPolicy: "Forbid",
        successfulJobsHistoryLimit: 1,
        jobTemplate: { spec: { backoffLimit: 1, activeDeadlineSeconds: 6 * 3600, template } },
      },
    },
    { dependsOn: wall(home) },
  );
}

/** A new claim, filled from the last copy or the one named, once. */
export function restoredHome(home: Home & { size: string; copy?: string; storageClassName?: string }) {
  const { namespace, container, name = container, copy = "latest" } = home;
  const claim = new k8s.core.v1.PersistentVolumeClaim(
    `${name}-restored`,
    {
      metadata: { name: home.claim, namespace, annotations: { "pulumi.com/skipAwait": "true" } },
      spec: {
        accessModes: ["ReadWriteOnce"],
        storageClassName: home.storageClassName,
        resources: { requests: { storage: home.size } },
      },
    },
    { retainOnDelete: true },
  );
  const script = `if ls -A /home | grep -qvx lost+found; then
      echo "the claim is not empty: nothing was restored" >&2; exit 1
    fi
    restic restore ${copy}:/home --host ${name} --target /home --verify`;
  return new k8s.batch.v1.Job(
    `${name}-restore`,
    {
      metadata: { name: `${name}-restore`, namespace },
      spec: { backoffLimit: 0, template: pod(home, home.claim, false, script) },
    },
    { dependsOn: claim },
  );
}

const labelsOf = (container: string) => ({
  "app.kubernetes.io/component": "home-copies",
  "app.kubernetes.io/instance": container,
});

/** What Pod Security "restricted" asks, as the home's own user, on the node where the home is mounted. */
function pod(home: Home, claimName: Input<string>, readOnly: boolean, script: string) {
  const { container, secret, image, uid = 1000 } = home;
  return {
    metadata: { labels: { ...labelsOf(container), "sidecar.istio.io/inject": "false" } },
    spec: {
      restartPolicy: "Never",
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: uid,
        runAsGroup: uid,
        fsGroup: uid,
        fsGroupChangePolicy: "OnRootMismatch",
        seccompProfile: { type: "RuntimeDefault" },
      },
      affinity: {
        podAffinity: {
          // The pod itself fits too, so that it may go anywhere while the container is off or asleep.
          requiredDuringSchedulingIgnoredDuringExecution: [
            {
              topologyKey: "kubernetes.io/hostname",
              labelSelector: {
                matchExpressions: [
                  { key: "app.kubernetes.io/instance", operator: "In", values: [container] },
                  {
                    key: "app.kubernetes.io/component",
                    operator: "In",
                    values: ["dev-container", "home-copies"],
                  },
                ],
              },
            },
          ],
        },
      },
      containers: [
        {
          name: "restic",
          image,
          command: ["sh", "-euc", script],
          env: Object.entries({
            RESTIC_REPOSITORY_FILE: "/secret/repository",
            RESTIC_PASSWORD_FILE: "/secret/password",
            AWS_SHARED_CREDENTIALS_FILE: "/secret/credentials",
            RESTIC_CACHE_DIR: "/tmp/cache",
            HOME: "/tmp",
          }).map(([name, value]) => ({ name, value })),
          resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { memory: "1Gi" } },
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ["ALL"] },
          },
          volumeMounts: [
            { name: "home", mountPath: "/home", readOnly },
            { name: "secret", mountPath: "/secret", readOnly: true },
            { name: "tmp", mountPath: "/tmp" },
          ],
        },
      ],
      volumes: [
        { name: "home", persistentVolumeClaim: { claimName } },
        { name: "secret", secret: { secretName: secret, defaultMode: 0o440 } },
        { name: "tmp", emptyDir: {} },
      ],
    },
  };
}

const notInternet = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8"],
  ...["169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16", "198.18.0.0/15"],
  ...["168.63.129.16/32", "192.0.0.192/32", "224.0.0.0/4", "240.0.0.0/4"],
];

/** Nobody reaches the copying pod, and it reaches names and the repository. */
function wall({ container, name = container, namespace, repository }: Home) {
  const dns = [
    {
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "kube-system" } },
      podSelector: { matchLabels: { "k8s-app": "kube-dns" } },
    },
    { ipBlock: { cidr: "169.254.20.10/32" } },
  ];
  const named = repository.cidrs?.map((cidr) => ({ ipBlock: { cidr } }));
  const blocks = named ?? [{ ipBlock: { cidr: "0.0.0.0/0", except: notInternet } }];
  return new k8s.networking.v1.NetworkPolicy(`${name}-copies`, {
    metadata: { name: `${name}-copies`, namespace },
    spec: {
      podSelector: { matchLabels: labelsOf(container) },
      policyTypes: ["Ingress", "Egress"],
      egress: [
        { to: dns, ports: ["UDP", "TCP"].map((protocol) => ({ port: 53, protocol })) },
        { to: blocks, ports: [{ port: repository.port, protocol: "TCP" }] },
      ],
    },
  });
}
