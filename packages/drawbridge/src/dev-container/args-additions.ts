/** Schemas of what a container's pod holds besides ours: as in a pod, without what would break the container's promises. */
import { z } from "zod";
import { arg, group, offByDefault, PlainReason, plainOffByDefault } from "../kit/arg.ts";
import { crossing, judgedBy } from "../kit/guard.ts";
import { input, inputList } from "../kit/schema.ts";
import { whole } from "../kit/shapes.ts";
import { imagePullPolicy } from "../kubernetes/args.ts";
import { patchSchema } from "../kubernetes/patch.ts";
import { helperResources, resourcesArg } from "../kubernetes/resources.ts";
import {
  absolutePath,
  annotationMap,
  dnsLabel,
  imageReference,
  objectName,
  port,
} from "../kubernetes/shapes.ts";
import { envFromSchema, envSchema, envValueFromSchema, secretEnvSchema } from "./args-environment.ts";
import { asInPod, volumeMountsSchema } from "./args-machine.ts";

/** A further container of the pod. */
const helperSchema = group(
  "DevContainerInitContainerArgs",
  "A container that runs to its end before the container starts, after the pod's own preparation.",
  {
    name: arg(dnsLabel, "Its name.", { plain: PlainReason.matched }),
    image: arg(input(imageReference), "The image, with a tag other than `latest` or a digest."),
    imagePullPolicy,
    command: arg(inputList(z.string()).default([]), "The program, instead of the image's own."),
    args: arg(inputList(z.string()).default([]), "Its arguments."),
    workingDir: arg(input(absolutePath).optional(), "The folder in which the program starts.", {
      default: "- the image's",
    }),
    env: arg(
      envSchema,
      "Its environment. A secret is refused, since a pod is readable in the cluster: give it in `secretEnv`.",
    ),
    secretEnv: arg(
      secretEnvSchema,
      "Environment whose values are secret, in the container's own Secret. Another value restarts the pod.",
    ),
    envValueFrom: arg(
      envValueFromSchema,
      "Variables whose values come from Secrets, ConfigMaps or the pod itself.",
    ),
    envFrom: arg(envFromSchema, "Secrets and ConfigMaps whose keys become variables."),
    resources: resourcesArg("CPU and memory.", helperResources),
    volumeMounts: arg(volumeMountsSchema, "Volumes of `pod.volumes`, and `home`."),
    securityContext: arg(
      group("DevContainerHelperSecurityArgs", "What of a security context is open.", {
        readOnlyRootFilesystem: arg(
          input(z.boolean()).optional(),
          "Whether it can write to its volumes only.",
          {
            default: "false",
          },
        ),
        runAsUser: arg(input(whole(1, 2_000_000_000, "user ids")).optional(), "User id, never 0.", {
          default: "the container's user",
        }),
        runAsGroup: arg(input(whole(1, 2_000_000_000, "group ids")).optional(), "Group id.", {
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
                name: arg(input(dnsLabel).optional(), "Its name."),
                containerPort: arg(input(port), "The number."),
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
    name: arg(input(objectName).optional(), "Name of a ServiceAccount.", {
      default: "- the namespace's default one; with `create` the container's name",
      guard: judgedBy("account", "cluster-rights"),
    }),
    create: plainOffByDefault(
      PlainReason.resources,
      "Whether it is made here, without any right. It takes the right to make ServiceAccounts, which a " +
        "team's deployer has not: there the platform makes it.",
      { guard: judgedBy("account", "cluster-rights") },
    ),
    annotations: arg(
      annotationMap.default({}),
      "Annotations of the account that is made, by which a cloud knows whom it stands for.",
      {
        effect: ["opens"],
        example: '{ "eks.amazonaws.com/role-arn": "arn:aws:iam::123456789012:role/team-a" }',
        guard: crossing("cluster-rights"),
      },
    ),
    token: offByDefault(
      "Whether its token is mounted, with which everybody in the container can talk to the Kubernetes API, with the " +
        "rights that the account has, as far as `egress` lets them. Cloud identities do not need it.",
      { guard: crossing("pod-privileges", { when: true }) },
    ),
  },
  { effect: ["restart", "opens"] },
).prefault({});

/** By an annotation a tool copies a Secret elsewhere, or grants a Role to others. */
const metadataPatch = (about: string) =>
  arg(patchSchema, about, { guard: judgedBy("patch", "foreign-object"), plain: PlainReason.merged });

export const patchesSchema = group(
  "DevContainerPatchesArgs",
  "Plain data merged into the container's objects, each under the end of its name in `pulumi preview`. As in " +
    "Kubernetes' strategic merge, lists whose items have a `name` are merged by it, other lists are replaced, and " +
    "null removes a field. Labels and annotations are open everywhere; of the rest what the container promises " +
    "nothing about. What is not open is refused by name, before anything is made.",
  {
    workload: arg(
      patchSchema,
      "The StatefulSet: probes, resources and terminal of its container `dev`, DNS, host aliases, " +
        "scheduler, update strategy.",
      {
        guard: judgedBy("pod-patch", "pod-privileges"),
        plain: PlainReason.merged,
        example: '{ spec: { template: { spec: { dnsConfig: { searches: ["corp.example.com"] } } } } }',
      },
    ),
    service: arg(patchSchema, "The Service: IP families and traffic policy.", {
      guard: judgedBy("patch", "gateway-opened"),
      plain: PlainReason.merged,
    }),
    home: arg(patchSchema, "The home's claim: its source.", {
      guard: judgedBy("claim-patch", "volume-borrowed"),
      plain: PlainReason.merged,
    }),
    persist: arg(patchSchema, "The claim of the persisted paths: its source.", {
      guard: judgedBy("claim-patch", "volume-borrowed"),
      plain: PlainReason.merged,
    }),
    disruption: metadataPatch("The PodDisruptionBudget."),
    network: metadataPatch("The NetworkPolicy's labels and annotations."),
    authorizedKeys: metadataPatch("Labels and annotations of the ConfigMap with the keys."),
    hostKey: metadataPatch("Labels and annotations of the Secret with the host key."),
    sshd: metadataPatch("Labels and annotations of sshd's ConfigMap."),
    route: metadataPatch("Labels and annotations of the VirtualService."),
    sshpod: metadataPatch("Labels and annotations of the Role for `access.sshpod`."),
    sshpodBinding: metadataPatch("Labels and annotations of its RoleBinding."),
  },
).prefault({});
