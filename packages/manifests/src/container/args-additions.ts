/** Schemas of what a container's pod holds besides ours: as in a pod, without what would break the container's promises. */

import { z } from "zod";
import { arg, group } from "../common/arg.ts";
import { code, says } from "../common/fault.ts";
import { ImagePullPolicy } from "../common/image.ts";
import { patchSchema } from "../common/patch.ts";
import { resourcesSchema } from "../common/resources.ts";
import { byName, oneOf, placed } from "../common/schema.ts";
import {
  absolutePath,
  dataKey,
  dnsLabel,
  envName,
  imageReference,
  objectName,
  port,
  qualifiedName,
  whole,
} from "../common/shapes.ts";

// Its fields are those of a pod, and the API server checks them.
const asInPod = z.record(z.string(), z.unknown()).optional();

/** An object in which exactly one of the fields is given. */
function exactlyOne<S extends z.ZodObject>(schema: S, ...fields: string[]): S {
  return schema.refine((value) => fields.filter((field) => value[field] !== undefined).length === 1, {
    ...says("needs-exactly-one", { names: new Intl.ListFormat("en").format(fields) }),
    // Beside another fault, such as an unknown key that was meant as one of them, this one may be wrong.
    when: ({ issues }) => issues.length === 0,
  });
}

const optional = z.boolean().optional();
const keyOf = group(
  "DevContainerKeyRefArgs",
  "A key of a Secret or ConfigMap in the container's namespace.",
  {
    name: arg(placed(objectName), "Name of the Secret or ConfigMap."),
    key: arg(dataKey, "The key."),
    optional: arg(optional, "Whether the container starts without it.", { default: "false" }),
  },
).optional();

const envSources = {
  secretKeyRef: arg(
    keyOf,
    "A key of a Secret. It is readable in every process of the container; as a file (`secretFiles`) " +
      "it is not.",
  ),
  configMapKeyRef: arg(keyOf, "A key of a ConfigMap."),
  fieldRef: arg(
    group("DevContainerFieldRefArgs", "A field of the pod.", {
      fieldPath: arg(z.string(), "Which field of the pod, as in a pod.", { example: '"status.podIP"' }),
    }).optional(),
    "A field of the pod.",
  ),
  resourceFieldRef: arg(
    group("DevContainerResourceFieldRefArgs", "What a container may use.", {
      containerName: arg(z.string().optional(), "Whose: the name of one of the pod's containers.", {
        default: "the container itself",
      }),
      resource: arg(z.string(), "Which request or limit.", { example: '"limits.memory"' }),
    }).optional(),
    "What a container may use.",
  ),
};

const envSource = exactlyOne(
  group(
    "DevContainerEnvSourceArgs",
    "Where a variable's value comes from: exactly one of them. A Secret's stays out of Pulumi's state " +
      "and of the pod's own fields.",
    envSources,
  ),
  ...Object.keys(envSources),
);

/** Beside `env`, because a value that is a text or an object has no type in other languages. */
export const envValueFromSchema = z.record(envName, envSource).default({}).transform(byName);

const environmentValue = z.string().refine((value) => !/[\r\n\0]/.test(value), {
  error: code("line-break-in-variable"),
});

export const envSchema = z.record(envName, placed(environmentValue)).default({}).transform(byName);

export type EnvSources = z.output<typeof envValueFromSchema>;

const envObject = group("DevContainerEnvObjectArgs", "A Secret or ConfigMap in the container's namespace.", {
  name: arg(placed(objectName), "Its name."),
  optional: arg(optional, "Whether the container starts without it.", { default: "false" }),
}).optional();

export const envFromSchema = z
  .array(
    exactlyOne(
      group(
        "DevContainerEnvFromArgs",
        "All keys of a Secret or a ConfigMap as variables; exactly one of the two.",
        {
          prefix: arg(envName.optional(), "Put before each name."),
          secretRef: arg(envObject, "A Secret."),
          configMapRef: arg(envObject, "A ConfigMap."),
        },
      ),
      "secretRef",
      "configMapRef",
    ),
  )
  .default([]);

const items = z
  .array(
    group("DevContainerKeyToPathArgs", "A key as a file.", {
      key: arg(dataKey, "The key."),
      path: arg(z.string(), "The file, below the mount."),
      mode: arg(whole(0, 0o777, "mode bits").optional(), "Its mode bits, as a number.", { default: "0o644" }),
    }),
  )
  .optional();

/** Where a volume comes from: the kinds that Pod Security "restricted" allows. */
const volumeSources = {
  persistentVolumeClaim: arg(
    group("DevContainerClaimSourceArgs", "A claim that exists.", {
      claimName: arg(placed(objectName), "Its name."),
      readOnly: arg(optional, "Whether nobody can write to it.", { default: "false" }),
    }).optional(),
    "A claim that exists. The container's own mounts of one are shorter in `mounts`.",
  ),
  configMap: arg(
    group("DevContainerConfigMapSourceArgs", "A ConfigMap as files.", {
      name: arg(placed(objectName), "Its name."),
      items: arg(items, "Which keys.", { default: "- all, each in a file of its name" }),
      optional: arg(optional, "Whether the container starts without it.", { default: "false" }),
    }).optional(),
    "A ConfigMap as files.",
  ),
  secret: arg(
    group("DevContainerSecretSourceArgs", "A Secret as files.", {
      secretName: arg(placed(objectName), "Its name."),
      items: arg(items, "Which keys.", { default: "- all, each in a file of its name" }),
      optional: arg(optional, "Whether the container starts without it.", { default: "false" }),
    }).optional(),
    "A Secret as files that everybody in the pod reads; `secretFiles` lets only the user.",
  ),
  csi: arg(asInPod, "A driver of the cluster's, such as the secrets store, as in a pod."),
  ephemeral: arg(
    asInPod,
    "A volume that lives as long as the pod: `{ volumeClaimTemplate: … }`, as in a pod.",
  ),
  emptyDir: arg(asInPod, "An empty folder that lives as long as the pod, as in a pod."),
  projected: arg(
    asInPod,
    "Several sources in one folder, as in a pod. A token of the Kubernetes API needs " +
      "`serviceAccount.token`.",
  ),
  downwardAPI: arg(asInPod, "Fields of the pod as files, as in a pod."),
};

export const podVolumesSchema = z
  .array(
    exactlyOne(
      group(
        "DevContainerPodVolumeArgs",
        'A volume of the pod, with exactly one source. They are those that Pod Security "restricted" ' +
          "allows: NFS goes into a PersistentVolume, whose claim is mounted.",
        { name: arg(dnsLabel, "Its name, for `volumeMounts`."), ...volumeSources },
      ),
      ...Object.keys(volumeSources),
    ),
  )
  .default([]);

export const volumeMountsSchema = z
  .array(
    group("DevContainerVolumeMountArgs", "Where a volume of `volumes` is mounted.", {
      name: arg(dnsLabel, "The volume's name; in init containers and sidecars also `home`."),
      mountPath: arg(absolutePath, "Where it is mounted."),
      subPath: arg(z.string().optional(), "Which folder of the volume.", { default: "- the whole volume" }),
      readOnly: arg(z.boolean().default(false), "Whether the container cannot write to it."),
    }),
  )
  .default([]);

/** A further container of the pod. */
const helperSchema = group(
  "DevContainerInitContainerArgs",
  "A container that runs to its end before the container starts, after the pod's own preparation.",
  {
    name: arg(dnsLabel, "Its name."),
    image: arg(placed(imageReference), "The image, with a tag other than `latest` or a digest."),
    imagePullPolicy: arg(oneOf(ImagePullPolicy).default("IfNotPresent"), "When the node pulls the image."),
    command: arg(z.array(z.string()).default([]), "The program, instead of the image's own."),
    args: arg(z.array(z.string()).default([]), "Its arguments."),
    workingDir: arg(absolutePath.optional(), "The folder in which the program starts.", {
      default: "- the image's",
    }),
    env: arg(
      envSchema,
      "Its environment. A secret is refused, since a pod is readable in the cluster: give it in `secretEnv`.",
    ),
    secretEnv: arg(
      envSchema,
      "Environment whose values are secret, in the container's own Secret. Another value restarts the pod.",
    ),
    envValueFrom: arg(
      envValueFromSchema,
      "Variables whose values come from Secrets, ConfigMaps or the pod itself.",
    ),
    envFrom: arg(envFromSchema, "Secrets and ConfigMaps whose keys become variables."),
    resources: arg(resourcesSchema, "CPU and memory.", {
      default: "requests of 10m CPU and 64Mi memory, a limit of 256Mi memory",
    }),
    volumeMounts: arg(volumeMountsSchema, "Volumes of `volumes`, and `home`."),
    securityContext: arg(
      group("DevContainerHelperSecurityArgs", "What of a security context is open.", {
        readOnlyRootFilesystem: arg(z.boolean().optional(), "Whether it can write to its volumes only.", {
          default: "false",
        }),
        runAsUser: arg(whole(1, 2_000_000_000, "user ids").optional(), "User id, never 0.", {
          default: "the container's user",
        }),
        runAsGroup: arg(whole(1, 2_000_000_000, "group ids").optional(), "Group id.", {
          default: "the container's group",
        }),
      }).prefault({}),
      'As whom it runs. It never gets more than Pod Security "restricted" allows.',
    ),
  },
);

export const helpersSchema = z.array(helperSchema).default([]);

export const sidecarsSchema = z
  .array(
    group(
      "DevContainerSidecarArgs",
      "A container that runs beside the container: it starts before it and ends after it. One that " +
        "fails keeps nobody out.",
      {
        ...helperSchema.shape,
        ports: arg(
          z
            .array(
              group("DevContainerSidecarPortArgs", "A port of a sidecar.", {
                name: arg(dnsLabel.optional(), "Its name."),
                containerPort: arg(port, "The number."),
              }),
            )
            .default([]),
          "Ports on which it listens, for those who read the pod. Who reaches them is said by `ingress`.",
        ),
        startupProbe: arg(asInPod, "Until it succeeds the container does not start, as in a pod."),
        livenessProbe: arg(asInPod, "As in a pod."),
        readinessProbe: arg(asInPod, "As in a pod."),
      },
      { extends: ["DevContainerInitContainerArgs"] },
    ),
  )
  .default([]);

export type Helper = z.output<typeof helperSchema> & Partial<z.output<typeof sidecarsSchema>[number]>;

export const serviceAccountSchema = group(
  "DevContainerServiceAccountArgs",
  "The Kubernetes identity of the container.",
  {
    name: arg(placed(objectName).optional(), "Name of a ServiceAccount.", {
      default: "- the namespace's default one; with `create` the container's name",
    }),
    create: arg(
      z.boolean().default(false),
      "Whether it is made here, without any right. It takes the right to make ServiceAccounts, which a " +
        "team's deployer has not: there the platform makes it.",
    ),
    annotations: arg(
      z.record(qualifiedName, placed(z.string())).default({}),
      "Annotations of the account that is made, by which a cloud knows whom it stands for.",
      {
        effect: ["opens"],
        example: '{ "eks.amazonaws.com/role-arn": "arn:aws:iam::123456789012:role/team-a" }',
      },
    ),
    token: arg(
      z.boolean().default(false),
      "Whether its token is mounted, with which everybody in the container can talk to the Kubernetes " +
        "API, with the rights that the account has, as far as `egress` lets them. Cloud identities do not " +
        "need it.",
    ),
  },
  { effect: ["restart", "opens"] },
).prefault({});

export const patchesSchema = group(
  "DevContainerPatchesArgs",
  "Plain data merged into the container's objects, each under the end of its name in `pulumi " +
    "preview`. As in Kubernetes' strategic merge, lists whose items have a `name` are merged by it, " +
    "other lists are replaced, and null removes a field. Labels and annotations are open everywhere; " +
    "of the rest what the container promises nothing about. What is not open is refused by name, " +
    "before anything is made.",
  {
    workload: arg(
      patchSchema,
      "The StatefulSet: probes, resources and terminal of its container `dev`, DNS, host aliases, " +
        "scheduler, update strategy.",
      { example: '{ spec: { template: { spec: { dnsConfig: { searches: ["corp.example.com"] } } } } }' },
    ),
    service: arg(patchSchema, "The Service: IP families and traffic policy."),
    home: arg(patchSchema, "The home's claim: its source."),
    persist: arg(patchSchema, "The claim of the persisted paths: its source."),
    disruption: arg(patchSchema, "The PodDisruptionBudget."),
    network: arg(patchSchema, "The NetworkPolicy's labels and annotations."),
    authorizedKeys: arg(patchSchema, "Labels and annotations of the ConfigMap with the keys."),
    hostKey: arg(patchSchema, "Labels and annotations of the Secret with the host key."),
    sshd: arg(patchSchema, "Labels and annotations of sshd's ConfigMap."),
    route: arg(patchSchema, "Labels and annotations of the VirtualService."),
    sshpod: arg(patchSchema, "Labels and annotations of the Role for `access.sshpod`."),
    sshpodBinding: arg(patchSchema, "Labels and annotations of its RoleBinding."),
  },
).prefault({});
