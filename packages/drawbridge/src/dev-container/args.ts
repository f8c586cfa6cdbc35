/** The arguments of DevContainer, each by itself. */

import { z } from "zod";
import { idleSchema } from "../host/idle/args.ts";
import { authorizedKeyLine } from "../host/keys/authorized-keys.ts";
import { hostKeySchema, sshSchema } from "../host/sshd/args.ts";
import { arg, group, PlainReason, plainOffByDefault, plainOnByDefault } from "../kit/arg.ts";
import { orLogicalName } from "../kit/default-name.ts";

import { crossing, judgedBy } from "../kit/guard.ts";
import { reference } from "../kit/reference.ts";
import { input, inputList } from "../kit/schema.ts";
import { imagePullPolicyOf, namespaceInput } from "../kubernetes/args.ts";
import { defaultWords } from "../kubernetes/resources.ts";
import { schedulingSchema } from "../kubernetes/scheduling.ts";
import { containerName, imageReference } from "../kubernetes/shapes.ts";
import { teamRefSchema } from "../team/ref.ts";
import { patchesSchema, serviceAccountSchema } from "./args-additions.ts";
import { envFromSchema, envSchema, envValueFromSchema, secretEnvSchema } from "./args-environment.ts";
import { containerResourcesSchema, defaultResources, persistSchema, volumeSchema } from "./args-machine.ts";
import { mountsSchema } from "./args-mounts.ts";
import { accessSchema, egressSchema, ingressSchema, portSchema, proxySchema } from "./args-network.ts";
import { podSchema } from "./args-pod.ts";
import { trustedCaSchema, userSchema } from "./args-user.ts";

const startupScript = z.string().refine((value) => value.startsWith("#!/") && value.length <= 65_536, {
  error: 'must begin with the line of its interpreter, like "#!/bin/sh", and have at most 65536 characters',
});

/**
 * A row that says `passedTo` needs no builder: the pod gets it as it is; a field that is an object takes `asInPod`
 * of args-machine.ts. Its `effect` is what the guard says of a change. What it needs besides is its trial in
 * args.trials.ts, then `npm run generate` (CONTRIBUTING: Pass on a field of the pod).
 */
export const devContainerFields = group(
  "DevContainerArgs",
  "Arguments of {@link DevContainer}.",
  {
    name: arg(
      orLogicalName(containerName),
      "Name of the container: of its Service, StatefulSet and host names; at most 52 characters.",
      {
        effect: ["restart", "data", "opens", "closes"],
        default: "the component's logical name",
        plain: PlainReason.names,
        guard: "daily",
      },
    ),
    namespace: arg(
      namespaceInput,
      "The namespace it lives in, which is part of its host name. It must exist.",
      { effect: ["restart", "data", "opens", "closes"], guard: "daily" },
    ),
    image: arg(input(imageReference), "The image, with a tag other than `latest` or a digest.", {
      example: '"registry.example.com/team/devcontainer:0.1.0"',
      passedTo: "container",
    }),
    imagePullPolicy: imagePullPolicyOf("the image", { passedTo: "container" }),
    command: arg(
      inputList(z.string()).default([]),
      "Program that runs in place of the image's entry point. With sshd `injected` it runs beside sshd, " +
        "and its end ends the container.",
    ),
    args: arg(
      inputList(z.string()).default([]),
      "Arguments of the command; with sshd from the `image`, the program that runs beside it.",
    ),
    runImageCommand: plainOffByDefault(
      PlainReason.form,
      "With sshd `injected`: the image's own entry point and command run, and sshd beside them.",
    ),
    ssh: arg(sshSchema, "Where sshd comes from and where it listens."),
    user: arg(userSchema, "The user one logs in as, who owns the home."),
    root: plainOffByDefault(
      PlainReason.form,
      "Whether one can be root inside: `sudo`, `apt`, services, ports below 1024. Root in the container maps to an " +
        "unprivileged user on the node, in a user namespace of the pod's own. It opens the kernel's interfaces that a user's programs do not reach, " +
        "and takes Kubernetes 1.33 and a namespace that the platform made for it.",
      { effect: ["restart", "opens"], guard: crossing("pod-privileges", { when: true }) },
    ),
    containersInside: plainOffByDefault(
      PlainReason.resources,
      "Whether one can start containers inside: `podman`, and `docker` with `build` and `compose`, " +
        "where the image has the programs. It takes `root: true`, a namespace that allows it, and sshd in " +
        "the same container. Root inside may then mount, route and make namespaces within the pod, which " +
        "opens more of the kernel's interfaces. Images and volumes of the inner containers are on " +
        "`persist`. A change of `authorizedKeys` or `ssh.userCa` restarts the pod.",
      { effect: ["restart", "opens"], guard: crossing("pod-privileges", { when: true }) },
    ),
    team: arg(
      reference(teamRefSchema, "Team").optional(),
      "The team whose namespace it is, which says what is allowed there: the `ref` of a {@link Team}. Needed for `root`.",
      { effect: [] },
    ),
    authorizedKeys: arg(
      inputList(authorizedKeyLine).default([]),
      "Public keys that may log in, one authorized_keys line each; at least one unless there is a user " +
        "CA or no sshd. A change takes effect within a minute or so, at the next login, without a restart; with " +
        "`containersInside` the pod restarts.",
      { effect: ["opens"], guard: judgedBy("keys", "unnamed-key") },
    ),
    hostKey: arg(
      hostKeySchema.optional(),
      "The container's SSH identity, which `known_hosts` pins. Needed unless there is no sshd.",
    ),
    home: arg(volumeSchema, "The home volume, which outlives the container."),
    persist: arg(persistSchema, "What of the image lasts besides home, such as `/opt/conda`."),
    resources: arg(
      containerResourcesSchema,
      "CPU, memory, which needs a limit, GPUs, shared memory and disk.",
      { default: defaultWords(defaultResources) },
    ),
    scheduling: arg(schedulingSchema, "Which nodes it may run on."),
    env: arg(
      envSchema,
      "Environment of the container and of every SSH session. A secret is refused, since a pod is readable " +
        "in the cluster: give it in `secretEnv`.",
    ),
    // Beside `env`, because whether a value is secret is known too late to decide whether there is a Secret.
    secretEnv: arg(
      secretEnvSchema,
      "The same with secret values, whose names are plain. The values are in a Secret of the container's own; " +
        "another value restarts the pod. Every process of the container can read them; as files " +
        "(`mounts`) they are safer.",
      {
        effect: ["restart", "opens"],
        example: '{ GIT_TOKEN: config.requireSecret("gitToken") }',
        guard: "daily",
      },
    ),
    envValueFrom: arg(
      envValueFromSchema,
      "Variables whose values come from Secrets, ConfigMaps or the pod itself, also for every SSH session.",
      {
        effect: ["restart", "opens"],
        example: '{ GIT_TOKEN: { secretKeyRef: { name: "tokens", key: "git" } } }',
        guard: "daily",
      },
    ),
    envFrom: arg(envFromSchema, "Secrets and ConfigMaps whose keys become variables; `env` wins over them.", {
      effect: ["restart", "opens", "closes"],
      guard: "daily",
    }),
    startupScript: arg(
      input(startupScript).optional(),
      "Program text that runs as the user each time the container starts, beginning with its " +
        "interpreter's line. It runs beside sshd, so it locks nobody out; its output is in the pod's log " +
        "and in `~/.cache/drawbridge/startup.log`.",
      { example: '"#!/bin/sh\\ngit clone https://git.example.com/team/dotfiles ~/dotfiles\\n"' },
    ),
    serviceAccount: arg(serviceAccountSchema, "The Kubernetes identity of the container, for cloud data."),
    proxy: arg(proxySchema.optional(), "The company's web proxy."),
    trustedCa: arg(trustedCaSchema, "The company's certificate authorities.", {
      effect: ["restart", "opens"],
      guard: "daily",
    }),
    access: arg(
      accessSchema,
      "The ways in: a gateway, frp, the Kubernetes API; at least one unless there is no sshd.",
    ),
    ports: arg(
      z.array(portSchema).default([]),
      "Ports on which the container's programs listen, besides sshd's: at most 15.",
    ),
    ingress: arg(
      z.array(ingressSchema).default([]),
      "Who may reach the container besides the gateway; nobody by default.",
      { guard: judgedBy("peers", "network-wall") },
    ),
    egress: arg(egressSchema, "What the container may reach."),
    running: plainOnByDefault(
      PlainReason.form,
      "Whether its pod runs. `false` ends the pod and every session in it; home, host key, names, routes and rights " +
        "stay, so that `true` brings everything back as it was. It frees CPU, memory and GPUs, not the volumes.",
    ),
    idle: arg(idleSchema, "When it sleeps by itself, and what wakes it.", {
      effect: ["restart", "opens"],
      default: "- it never sleeps",
      guard: judgedBy("sleep", "cluster-rights"),
    }),
    wait: plainOnByDefault(
      PlainReason.option,
      "Whether `pulumi up` waits until sshd is ready: ten minutes at most, or as long as the component's option " +
        '`customTimeouts: { create: "3m", update: "3m" }` says. ' +
        "After a change Pulumi's provider may look before the cluster has begun it, and go on at once; " +
        "`status` says `Starting` then. Without it, one container that cannot be scheduled does not block a team's " +
        "update.",
      { effect: [] },
    ),
    mounts: arg(
      mountsSchema,
      "What is mounted besides home: claims, Secrets, storages and the pod's volumes.",
      { example: '[{ claimName: "data", mountPath: "/data" }]' },
    ),
    pod: arg(podSchema, "Further fields of its pod, under their names in Kubernetes."),
    patches: arg(patchesSchema, "What has no argument: plain data merged into the container's objects.", {
      effect: ["data", "opens"],
    }),
  },
  { effect: ["restart"] },
);

export type DevContainerInput = z.input<typeof devContainerFields>;
export type DevContainerParsed = z.output<typeof devContainerFields>;
