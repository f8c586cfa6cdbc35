/** Pods of another's that ask for nothing beyond Pod Security "restricted", and for no rights in the cluster. */
import { safeSysctls } from "@drawbridge-iac/drawbridge/src/kubernetes/security";
import { isHarmless, noBounds } from "../bounds.ts";
import { exactly } from "../effect.ts";
import { at, listAt, mapAt } from "../values.ts";
import { all, anything, both, fields, listOf, map, only, type Shape, shown, where } from "./shape.ts";

/** Whether a probe or hook asks another host than the pod: the node would do that. */
export function probesElsewhere(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(
    ([key, inner]) => (key === "host" && inner !== undefined) || probesElsewhere(inner),
  );
}
const within: Shape = both(shown, (value, path) =>
  probesElsewhere(value) ? [exactly(`${path}, by which the node asks another host`, value)] : [],
);

const isUser = (value: unknown) => typeof value === "number" && value > 0;
const security = (more: Readonly<Record<string, Shape>>) =>
  fields({
    ...more,
    privileged: only(false),
    seccompProfile: fields({ type: only("RuntimeDefault", "Localhost"), localhostProfile: anything }),
    appArmorProfile: fields({ type: only("RuntimeDefault") }),
    procMount: only("Default"),
    sysctls: listOf(where((one) => safeSysctls.includes(String(at(one, "name"))))),
    ...all("runAsGroup fsGroup supplementalGroups fsGroupChangePolicy readOnlyRootFilesystem"),
  });
const capabilities = (...added: string[]) => fields({ drop: anything, add: listOf(only(...added)) });
const restrictedSecurity = security({
  runAsUser: where(isUser),
  runAsNonRoot: only(true),
  allowPrivilegeEscalation: only(false),
  capabilities: capabilities("NET_BIND_SERVICE"),
});
const baselineSecurity = security({
  ...all("runAsUser runAsNonRoot allowPrivilegeEscalation"),
  capabilities: capabilities(
    ..."AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT".split(
      " ",
    ),
  ),
});

/** A claim with data of its own: https://kubernetes.io/docs/concepts/storage/persistent-volumes */
export const claimSpec = fields(
  all("accessModes resources storageClassName volumeMode volumeAttributesClassName"),
);

export const annotations: Shape = both(map, (value, path, bounds) =>
  Object.entries(mapAt(value))
    .filter(([name]) => !isHarmless(name, bounds))
    .map(([name, one]) => exactly(`${path}.${name}`, one)),
);

/** Of what a template makes other than pods: nothing selects it. */
export const templateMetadata = fields({ labels: anything, annotations });

const container = (security: Shape) =>
  fields({
    securityContext: security,
    ports: listOf(fields(all("name containerPort protocol"))),
    env: listOf(
      fields({
        name: anything,
        value: anything,
        valueFrom: fields(all("secretKeyRef configMapKeyRef fieldRef resourceFieldRef", shown)),
      }),
    ),
    envFrom: listOf(fields({ prefix: anything, ...all("secretRef configMapRef", shown) })),
    ...all("livenessProbe readinessProbe startupProbe lifecycle", within),
    ...all(
      "name image imagePullPolicy command args resources resizePolicy volumeMounts workingDir stdin stdinOnce tty restartPolicy terminationMessagePath terminationMessagePolicy",
    ),
  });

const volume = fields({
  name: anything,
  ephemeral: fields({
    volumeClaimTemplate: fields({
      metadata: templateMetadata,
      spec: claimSpec,
    }),
  }),
  projected: fields({
    defaultMode: anything,
    sources: listOf(fields(all("secret configMap downwardAPI", shown))),
  }),
  ...all("persistentVolumeClaim emptyDir configMap secret downwardAPI", shown),
});

/** Labels by which walls and Services of ours find pods. */
const isOurLabel = (name: string) => /^([a-z0-9.-]+\.)?drawbridge\.dev\//.test(name);
const isOurPart = (value: unknown) =>
  /^(ssh-gateway|dev-container|ssh-route|injected-sshd|storage|storage-proxy|frp-server|culler|activator)$/.test(
    String(value),
  );

/** By which others are found. */
export const selector: Shape = both(shown, (value, path) =>
  Object.entries((value ?? {}) as object)
    .filter(([name, one]) => isOurLabel(name) || (name === "app.kubernetes.io/component" && isOurPart(one)))
    .map(([name, one]) => exactly(`${path}.${name}, by which walls find pods of ours`, one)),
);

/** What a webhook, an operator or a cloud may read of an object's own, as of annotations. */
export const labels: Shape = both(selector, (value, path, bounds) =>
  Object.entries(mapAt(value))
    .filter(([name]) => !isOurLabel(name) && !plainLabel.test(name) && !isHarmless(name, bounds))
    .map(([name, one]) => exactly(`${path}.${name}`, one)),
);
/** What tells parts of an application apart, and what shapes of their own judge. */
const plainLabel =
  /^(app\.kubernetes\.io|helm\.sh|pod-security\.kubernetes\.io)\/|^kubernetes\.io\/metadata\.name$/;

/** Taints that keep pods off the nodes on which the cluster itself runs; without a key it is every taint. */
export const toleratesCluster = (toleration: unknown) =>
  /^node-role\.kubernetes\.io\/|^undefined$|^$/.test(String(at(toleration, "key")));
const toleration: Shape = (value, path) =>
  toleratesCluster(value)
    ? [exactly(`${path}, by which it comes to the cluster's own nodes`, value)]
    : shown(at(value, "key"), `${path}.key`, noBounds);

const spec = (security: Shape) =>
  fields({
    securityContext: security,
    ...all("containers initContainers", listOf(container(security))),
    volumes: listOf(volume),
    tolerations: listOf(toleration),
    automountServiceAccountToken: anything,
    ...all("hostNetwork hostPID hostIPC", only(false)),
    ...all("serviceAccountName serviceAccount", shown),
    ...all(
      "activeDeadlineSeconds affinity dnsConfig dnsPolicy enableServiceLinks hostUsers hostname imagePullSecrets nodeSelector os overhead preemptionPolicy readinessGates resources restartPolicy runtimeClassName schedulerName schedulingGates setHostnameAsFQDN shareProcessNamespace subdomain terminationGracePeriodSeconds topologySpreadConstraints",
    ),
  });

const tokenless: Shape = (value, path) =>
  at(value, "automountServiceAccountToken") === false
    ? []
    : [`${path}, whose pod holds a token of the Kubernetes API`];

/** What "restricted" demands, of the pod or of each container: https://kubernetes.io/docs/concepts/security/pod-security-standards */
const restricted: Shape = (value) => {
  const of = (one: unknown) => mapAt(one, "securityContext");
  const pod = of(value);
  return ["containers", "initContainers"].flatMap((list) =>
    listAt(value, list).flatMap((one) => {
      const own = of(one);
      const lacks = [
        ...((own.runAsNonRoot ?? pod.runAsNonRoot) === true ? [] : ["runAsNonRoot: true"]),
        ...((own.seccompProfile ?? pod.seccompProfile) === undefined ? ["seccompProfile"] : []),
        ...(own.allowPrivilegeEscalation === false ? [] : ["allowPrivilegeEscalation: false"]),
        ...(listAt(own, "capabilities", "drop").includes("ALL") ? [] : ["capabilities.drop: [ALL]"]),
      ].map((text) => JSON.stringify(text));
      const name = `container ${at(one, "name")}`;
      return lacks.length === 0 ? [] : [`${name}, whose securityContext lacks ${lacks.join(", ")}`];
    }),
  );
};

/** The namespace's default account has no rights. */
const tokenOfNobody: Shape = (value, path, bounds) =>
  ["serviceAccountName", "serviceAccount"].every((key) =>
    [undefined, "", "default"].includes(at(value, key) as string),
  )
    ? []
    : tokenless(value, path, bounds);

const template = (spec: Shape) =>
  fields({
    metadata: fields({ labels, annotations, ...all("name namespace creationTimestamp") }),
    spec,
  });
export const restrictedTemplate = template(both(both(spec(restrictedSecurity), tokenless), restricted));
/** https://kubernetes.io/docs/concepts/security/pod-security-standards/#baseline */
export const ordinaryTemplate = template(both(spec(baselineSecurity), tokenOfNobody));
