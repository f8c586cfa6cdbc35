/** Defects that are planted one at a time, to see that the drill finds them: what nobody finds, nobody has looked for. */

interface Edit {
  /** Path of the source that it is planted in, from the project's root. */
  readonly file: string;
  /** What stands there once, and what is put in its place. */
  readonly code: string;
  readonly replacement: string;
}

export interface Defect extends Edit {
  readonly name: string;
  /** The other guard that has to fail too. */
  readonly besides?: Edit;
  /** The drill that finds it. */
  readonly seed: number;
  readonly faults: number;
  readonly only: readonly string[];
  /** What the drill says then. */
  readonly breach: RegExp;
}

export const editsOf = (defect: Defect): Edit[] =>
  defect.besides === undefined ? [defect] : [defect, defect.besides];

const container = "packages/drawbridge/src/dev-container";
const sshd = "packages/drawbridge/src/host/sshd";

export const defects: readonly Defect[] = [
  {
    name: "the home is on no claim",
    file: `${container}/volumes.ts`,
    code: "persistentVolumeClaim: { claimName: homeClaimName(plan) }",
    replacement: "emptyDir: {}",
    seed: 1,
    faults: 1,
    only: ["container-pod-deleted"],
    breach: /^a file of drill-[abc] was [0-9a-f]{64} {2}drill-data, now: .*No such file/s,
  },
  {
    name: "a route takes any port",
    file: "packages/drawbridge/src/istio/ssh-route.ts",
    code: "`[^:]+:${port}`",
    // The gateway's policy is made from the same pattern, and takes no other.
    replacement: "`[^:]+:(${port}|[0-9]+)`",
    seed: 1,
    faults: 1,
    only: ["istiod-killed"],
    breach: /^CONNECT drill-a\.drill-a\.dev\.example\.com:8080 was answered "HTTP\/1\.1 200 OK/,
  },
  {
    name: "the second start makes a host key of its own",
    file: `${sshd}/files.ts`,
    code: "...(isOfRoot ? [sshdEmptyFolderSh] : []),",
    replacement: `\`if ! mkdir "$HOME/.started"; then
  rm "$run/\${hostKeyFile}"
  ssh-keygen -q -t ed25519 -N "" -f "$run/\${hostKeyFile}"
fi\`,`,
    seed: 1,
    faults: 1,
    only: ["container-pod-deleted"],
    breach: /^no login to drill-[abc] within 60 s: .*REMOTE HOST IDENTIFICATION HAS CHANGED/s,
  },
  {
    name: "a probe restarts the container when DNS does not answer",
    file: `${container}/sshd.ts`,
    code: "readinessProbe: {",
    replacement: `livenessProbe: {
      exec: { command: ["sh", "-c", "getent hosts kubernetes.default.svc.cluster.local"] },
      periodSeconds: 1,
      timeoutSeconds: 1,
      failureThreshold: 1,
    },
    readinessProbe: {`,
    seed: 1,
    faults: 1,
    only: ["coredns-frozen"],
    breach: /^8 sessions ended where 0 may: /,
  },
  {
    name: "a container may go anywhere",
    // Rules that allow more are refused by the platform's own policy; this one governs nothing that leaves.
    file: `${container}/network-policy.ts`,
    code: "egress: egressRules(plan) }",
    replacement: "egress: undefined }",
    // By itself it would leave the team's default deny, by which such a pod goes nowhere.
    besides: {
      file: "packages/drawbridge/src/team/namespace.ts",
      code: '["Ingress", "Egress"]',
      replacement: '["Ingress"]',
    },
    seed: 1,
    faults: 1,
    only: ["istiod-killed"],
    breach: /^drill-[abc] reached what is forbidden: open 10\.96\.0\.1 443$/,
  },
  {
    name: "anybody's container may be evicted",
    file: `${container}/objects.ts`,
    code: '"never" ? 0 : 1',
    replacement: '"never" ? 1 : 1',
    seed: 1,
    faults: 1,
    only: ["eviction-refused"],
    breach: /^drill-[ab] may not be evicted, and was$/,
  },
  {
    name: "keys are what they were when the container began",
    file: `${sshd}/volumes.ts`,
    code: '{ name: "authorized-keys", mountPath: sshdPaths.authorizedKeys, readOnly: true }',
    replacement: `{
      name: "authorized-keys",
      mountPath: \`\${sshdPaths.authorizedKeys}/authorized_keys\`,
      subPath: "authorized_keys",
      readOnly: true,
    }`,
    seed: 1,
    faults: 1,
    only: ["key-changed"],
    breach: /^a key that was removed more than 120 s ago logs in to drill-[abc]/,
  },
  {
    name: "a proxy that goes takes its sessions with it",
    file: "packages/drawbridge/src/istio/proxy.ts",
    code: "terminationGracePeriodSeconds: plan.terminationGracePeriodSeconds",
    replacement: "terminationGracePeriodSeconds: 1",
    seed: 1,
    faults: 1,
    only: ["gateway-scaled-down"],
    breach: /^a session to drill-[abc]\S* ended after \d(\.\d+)? s, within the grace of 8 s$/,
  },
  {
    name: "a home is on the disk of one node",
    file: "packages/drawbridge/src/kubernetes/data.ts",
    code: "storageClassName: volume.storageClassName,",
    replacement: "storageClassName: undefined,",
    seed: 2,
    faults: 2,
    only: ["node-lost"],
    breach: /^not whole again: the pod of drill-[abc] did not happen within 180 s/,
  },
  {
    name: "a route outlives its container",
    file: `${container}/objects.ts`,
    code: 'own("route", hostRoute(plan, gateway))',
    replacement: '{ ...own("route", hostRoute(plan, gateway)), kept: true }',
    seed: 1,
    faults: 1,
    only: ["two-ups"],
    breach: /^Pulumi does not know of VirtualService drill-c\/drill-extra-ssh$/,
  },
];
