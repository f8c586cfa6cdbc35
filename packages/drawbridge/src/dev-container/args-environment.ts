/** Schemas of variables and of where their values come from, as in a pod. */
import { z } from "zod";
import { arg, group } from "../kit/arg.ts";
import { byName, exactlyOne, input, secret } from "../kit/schema.ts";
import { matching } from "../kit/shapes.ts";
import { dataKey, envName, objectName, qualifiedNamePattern } from "../kubernetes/shapes.ts";

const optional = input(z.boolean()).optional();
const podField = matching(
  new RegExp(
    `^(metadata\\.(name|namespace|uid|(labels|annotations)\\['${qualifiedNamePattern}'\\])|spec\\.(nodeName|serviceAccountName)|status\\.(host|pod)IPs?)$`,
  ),
  '{{value}} is not a field that a variable may have; write it like "status.podIP" or "metadata.labels[\'app\']"',
);
const ownResource = matching(
  /^(limits|requests)\.(cpu|memory|ephemeral-storage|hugepages-[0-9]+[KMGT]i)$/,
  '{{value}} is not a request or limit; write it like "limits.memory" or "requests.cpu"',
);
const keyRef = group(
  "DevContainerKeyRefArgs",
  "A key of a Secret or ConfigMap in the container's namespace.",
  {
    name: arg(input(objectName), "Name of the Secret or ConfigMap."),
    key: arg(input(dataKey), "The key."),
    optional: arg(optional, "Whether the container starts without it.", { default: "false" }),
  },
).optional();

const envSources = {
  secretKeyRef: arg(
    keyRef,
    "A key of a Secret. It is readable in every process of the container; as a file (`mounts`) it is not.",
  ),
  configMapKeyRef: arg(keyRef, "A key of a ConfigMap."),
  fieldRef: arg(
    group("DevContainerFieldRefArgs", "A field of the pod.", {
      fieldPath: arg(input(podField), "Which field, as in a pod.", { example: '"status.podIP"' }),
    }).optional(),
    "A field of the pod.",
  ),
  resourceFieldRef: arg(
    group("DevContainerResourceFieldRefArgs", "What a container may use.", {
      containerName: arg(input(z.string()).optional(), "Whose: the name of one of the pod's containers.", {
        default: "the container itself",
      }),
      resource: arg(input(ownResource), "Which request or limit.", { example: '"limits.memory"' }),
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
  error: "has a line break, which cannot be passed into an SSH session; mount it as a file instead",
});

export const envSchema = z.record(envName, input(environmentValue)).default({}).transform(byName);

/** The same with secret values. */
export const secretEnvSchema = z.record(envName, secret(environmentValue)).default({}).transform(byName);

export type EnvSources = z.output<typeof envValueFromSchema>;

const envObject = group("DevContainerEnvObjectArgs", "A Secret or ConfigMap in the container's namespace.", {
  name: arg(input(objectName), "Its name."),
  optional: arg(optional, "Whether the container starts without it.", { default: "false" }),
}).optional();

export const envFromSchema = z
  .array(
    exactlyOne(
      group(
        "DevContainerEnvFromArgs",
        "All keys of a Secret or a ConfigMap as variables; exactly one of the two.",
        {
          prefix: arg(input(envName).optional(), "Put before each name."),
          secretRef: arg(envObject, "A Secret."),
          configMapRef: arg(envObject, "A ConfigMap."),
        },
      ),
      "secretRef",
      "configMapRef",
    ),
  )
  .default([]);
