/** The zod schema of DevContainer's arguments; the documented interfaces are in the components package. */
import { z } from "zod";
import { ImagePullPolicy } from "../common/image.ts";
import { podMetadata } from "../common/pod-metadata.ts";
import { resourcesSchema } from "../common/resources.ts";
import { schedulingSchema } from "../common/scheduling.ts";
import { across, oneOf, placed, strict } from "../common/schema.ts";
import {
  absolutePath,
  dataKey,
  dnsLabel,
  imageReference,
  objectName,
  quantity,
  serviceName,
  userName,
  whole,
} from "../common/shapes.ts";
import { rootNamespaceRefSchema } from "../root-namespace/args.ts";
import { authorizedKeyLine } from "../ssh/authorized-keys.ts";
import { storageMountSchema } from "../storage/mounts.ts";
import { checkContainer } from "./args-checks.ts";
import { idleSchema } from "./args-idle.ts";
import { gpuSchema, mountSchema, secretFilesSchema, volumeSchema } from "./args-machine.ts";
import { accessSchema, egressSchema, ingressSchema, portSchema, proxySchema } from "./args-network.ts";
import {
  envFromSchema,
  envSchema,
  envValueFromSchema,
  helpersSchema,
  patchesSchema,
  podVolumesSchema,
  serviceAccountSchema,
  sidecarsSchema,
  volumeMountsSchema,
} from "./args-pod.ts";
import { hostKeySchema, sshSchema, userCaSchema } from "./args-ssh.ts";

/** Whether the cluster may move the container while people work in it. */
export const EvictionPolicy = { never: "never", allowed: "allowed" } as const;
export type EvictionPolicy = (typeof EvictionPolicy)[keyof typeof EvictionPolicy];

const startupScript = z.string().refine((value) => value.startsWith("#!/") && value.length <= 65_536, {
  error: 'must begin with the line of its interpreter, like "#!/bin/sh", and have at most 65536 characters',
});

const fields = strict({
  name: serviceName.optional(),
  namespace: dnsLabel,
  image: placed(imageReference),
  imagePullPolicy: oneOf(ImagePullPolicy).default("IfNotPresent"),
  imagePullSecrets: z.array(placed(objectName)).default([]),
  command: z.array(z.string()).default([]),
  args: z.array(z.string()).default([]),
  runImageCommand: z.boolean().default(false),
  ssh: sshSchema,
  user: strict({
    name: userName.default("jovyan"),
    uid: whole(0, 2_000_000_000, "user ids").default(1000),
    gid: whole(0, 2_000_000_000, "group ids").default(1000),
    shell: absolutePath.optional(),
  }).prefault({}),
  root: z.boolean().default(false),
  containersInside: z.boolean().default(false),
  rootNamespace: rootNamespaceRefSchema.optional(),
  authorizedKeys: z.array(placed(authorizedKeyLine)).default([]),
  userCa: userCaSchema.optional(),
  hostKey: hostKeySchema.optional(),
  home: volumeSchema,
  persist: z.array(absolutePath).default([]),
  persistVolume: volumeSchema,
  resources: resourcesSchema,
  gpu: gpuSchema.optional(),
  sharedMemory: placed(quantity).optional(),
  ephemeralStorage: placed(quantity).optional(),
  scheduling: schedulingSchema,
  env: envSchema,
  envValueFrom: envValueFromSchema,
  envFrom: envFromSchema,
  secretFiles: z.array(secretFilesSchema).default([]),
  startupScript: startupScript.optional(),
  serviceAccount: serviceAccountSchema,
  proxy: proxySchema.optional(),
  caBundle: strict({ configMapName: placed(objectName), key: dataKey.default("ca.crt") }).optional(),
  access: accessSchema,
  ports: z.array(portSchema).default([]),
  ingress: z.array(ingressSchema).default([]),
  egress: egressSchema,
  eviction: oneOf(EvictionPolicy).default("never"),
  running: z.boolean().default(true),
  stop: strict({
    warningSeconds: whole(0, 3600, "seconds").default(15),
    graceSeconds: whole(5, 7200, "seconds").default(60),
  }).prefault({}),
  idle: idleSchema,
  wait: z.boolean().default(true),
  mounts: z.array(mountSchema).default([]),
  volumes: podVolumesSchema,
  volumeMounts: volumeMountsSchema,
  initContainers: helpersSchema,
  sidecars: sidecarsSchema,
  ...podMetadata,
  patches: patchesSchema,
  storage: z.array(storageMountSchema).default([]),
});

export const devContainerSchema = across(fields, checkContainer);

export type DevContainerInput = z.input<typeof fields>;
export type DevContainerParsed = z.output<typeof fields>;
