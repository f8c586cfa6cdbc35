/** Arguments that several components have. */
import { z } from "zod";
import {
  type ArgTexts,
  arg,
  type Effect,
  group,
  offByDefault,
  PlainReason,
  plainOnByDefault,
} from "../kit/arg.ts";
import { orLogicalName } from "../kit/default-name.ts";
import { another, crossing, judgedBy } from "../kit/guard.ts";
import { knownItems } from "../kit/input.ts";
import { input, inputList, oneOf } from "../kit/schema.ts";
import { tokenOf } from "../kit/type-token.ts";
import { ImagePullPolicy } from "./images.ts";
import {
  absolutePath,
  annotationMap,
  cidr,
  labelMap,
  objectName,
  ownNamespace,
  port,
  serviceName,
} from "./shapes.ts";

const ofPlatform: Pick<ArgTexts, "effect" | "guard"> = {
  effect: ["restart", "sessions", "opens", "closes"],
  guard: another("wall-removed"),
};

/** @param thing what has the name, as in "proxy" */
export const nameOfObjects = (thing: string, more = ofPlatform) =>
  arg(orLogicalName(serviceName), `Name of the ${thing}'s objects in Kubernetes.`, {
    plain: PlainReason.names,
    ...more,
    default: "the component's logical name",
  });

/** The namespace of what one deploys: its name, or the resource that makes it. */
export const namespaceInput = input(ownNamespace, "a string", {
  "kubernetes:core/v1:Namespace": "metadata.name",
  [tokenOf("Team")]: "namespace",
});

export const createNamespace = plainOnByDefault(
  PlainReason.resources,
  'Whether to create that namespace, with Pod Security "restricted" enforced.',
  { effect: ["opens"], guard: crossing("wall-removed", { when: false }) },
);

/** A network of the API server, for the pods that ask it something, and the ports on which API servers usually answer. */
export const apiServerNetwork = (name: string, effect: readonly Effect[] = ["opens"]) =>
  group(name, "One network of the API server.", {
    cidr: arg(input(cidr), "Its addresses in CIDR notation.", {
      example: '"192.0.2.10/32"',
      effect,
    }),
    ports: arg(input(z.array(input(port)).min(1), "a list").default([443, 6443]), "Its TCP ports.", {
      effect: ["opens", "closes"],
    }),
  });

export type ApiServerNetwork = z.output<ReturnType<typeof apiServerNetwork>>;

/** @param thing what is pulled */
export const imagePullPolicyOf = (thing: string, more?: Omit<ArgTexts, "about">) =>
  arg(input(oneOf(ImagePullPolicy)).default("IfNotPresent"), `When the node pulls ${thing}.`, more);

export const imagePullPolicy = imagePullPolicyOf("the image");

/** {@link pulledWith} puts it there. */
export const imagePullSecrets = arg(
  input(
    z.array(input(objectName)).refine((names) => {
      const here = knownItems(names);
      return new Set(here).size === here.length;
    }, "{{value}} names a Secret twice; name each once"),
    "a list",
  ).default([]),
  "Names of Secrets of its namespace that hold the registry's credentials.",
  { effect: ["restart"] },
);

const accountName = z.string().min(1, "is empty; set the name of a user or group of the cluster");

export const subjectsFields = {
  users: arg(inputList(accountName).default([]), "Names of users.", {
    effect: ["opens"],
    guard: judgedBy("subjects", "cluster-rights"),
  }),
  groups: arg(inputList(accountName).default([]), "Names of groups.", {
    effect: ["opens", "closes"],
    guard: judgedBy("subjects", "cluster-rights"),
  }),
};

export const subjectsSchema = group(
  "SubjectsArgs",
  "People as the cluster's authentication names them.",
  subjectsFields,
);

export type Subjects = z.output<typeof subjectsSchema>;

/** What a component's pods have under these names in Kubernetes too. */
export const podSchema = group("PodArgs", "Further fields of a component's pods.", {
  labels: arg(
    labelMap.default({}),
    "Further labels of the pods: for queues, costs, a cloud's identities. Those by which drawbridge " +
      "finds its pods, and Istio's, are refused. A change restarts the pods.",
    { effect: ["restart"], example: '{ "kueue.x-k8s.io/queue-name": "team-a" }' },
  ),
  annotations: arg(
    annotationMap.default({}),
    "Further annotations of the pods. A change restarts the pods.",
    { effect: ["restart"], guard: judgedBy("annotations", "pod-privileges") },
  ),
  imagePullSecrets,
});

export const podArg = arg(podSchema.prefault({}), "Further fields of its pods.");

export type PodParsed = z.output<typeof podSchema>;

/**
 * The pod's fields as a plan has them, beside its own. Labels and annotations come last in a pod's metadata; a check
 * refuses the keys that the component sets itself, but for those that say where metrics are read (`prometheus.io/`).
 */
export const planPod = <P extends PodParsed>({ labels, annotations, ...pod }: P) => ({
  ...pod,
  podLabels: labels,
  podAnnotations: annotations,
});

/** How a volume may be mounted. */
export const AccessMode = {
  readWriteOnce: "ReadWriteOnce",
  readWriteOncePod: "ReadWriteOncePod",
  readWriteMany: "ReadWriteMany",
} as const;
export type AccessMode = (typeof AccessMode)[keyof typeof AccessMode];

/** Of a volume that is mounted into a container. */
export const mountFields = {
  mountPath: arg(input(absolutePath), "Where it is mounted.", { effect: ["restart"] }),
  subPath: arg(input(z.string()).optional(), "Which folder of the volume.", {
    effect: ["restart"],
    default: "- the whole volume",
  }),
  readOnly: offByDefault("Whether the container cannot write to it.", {
    effect: ["restart", "opens", "closes"],
    guard: "daily",
  }),
};
