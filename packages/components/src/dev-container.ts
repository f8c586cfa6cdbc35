import * as m from "@drawbridge-iac/manifests";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { DevContainerArgs } from "./dev-container-args.ts";
import { output, rendered } from "./inputs.ts";
import { checkArgs } from "./invalid-args.ts";
import { register, registerCustom } from "./register.ts";

/**
 * One developer's container: sshd, a home that lasts, a pinned host key and its route on a gateway.
 *
 * @example
 * ```ts
 * const dev1 = new DevContainer("dev1", {
 *   namespace: "team-a",
 *   image: "registry.example.com/team/devcontainer:1.4.0",
 *   authorizedKeys: ["ssh-ed25519 AAAA… alice"],
 *   hostKey: { seed: config.requireSecret("hostKeySeed") },
 *   gateway: gateway.ref,
 * });
 * export const sshConfig = dev1.sshConfig;
 * ```
 */
export class DevContainer extends pulumi.ComponentResource {
  /** The name clients use: `<name>.<namespace>.<domain>`, or the cluster-internal one without a gateway. */
  public readonly hostName: pulumi.Output<string>;
  /** The host's public key, `ssh-ed25519 AAAA…`. */
  public readonly hostPublicKey: pulumi.Output<string>;
  /** A `known_hosts` line for every name of the container. */
  public readonly knownHosts: pulumi.Output<string>;
  /** An ssh_config block. */
  public readonly sshConfig: pulumi.Output<string>;
  /** The command that logs in, with nothing configured but `known_hosts`. */
  public readonly sshCommand: pulumi.Output<string>;

  constructor(name: string, args: DevContainerArgs, opts?: pulumi.ComponentResourceOptions) {
    const plan = m.planDevContainer(name, checkArgs("DevContainer", name, m.devContainerSchema, args));
    const hostKey = pulumi.secret(resolveHostKey(plan));
    const keysText = rendered(plan.authorizedKeys, m.renderAuthorizedKeys);
    super("drawbridge:index:DevContainer", name, withoutSecrets(args), opts);
    const child: pulumi.CustomResourceOptions = { parent: this };

    const home = register(k8s.core.v1.PersistentVolumeClaim, `${name}-home`, m.homeClaim(plan), {
      ...child,
      // People's data: it stays when the container is removed. `retainOnDelete` instead of `protect`,
      // because a protected resource would make the removal itself fail.
      retainOnDelete: true,
    });
    const keys = register(
      k8s.core.v1.ConfigMap,
      `${name}-authorized-keys`,
      m.authorizedKeysConfigMap(plan, keysText),
      child,
    );
    const hostKeySecret = m.hostKeySecret(plan, hostKey.privateKey);
    const identity = register(k8s.core.v1.Secret, `${name}-host-key`, hostKeySecret, child);
    const sshd = register(k8s.core.v1.ConfigMap, `${name}-sshd`, m.sshdConfigMap(plan), child);
    const walls = m.containerNetworkPolicy(plan);
    const policy = register(k8s.networking.v1.NetworkPolicy, `${name}-network`, walls, child);
    const service = register(k8s.core.v1.Service, `${name}-service`, m.containerService(plan), child);
    const budget = m.containerDisruptionBudget(plan);
    register(k8s.policy.v1.PodDisruptionBudget, `${name}-disruption`, budget, child);
    if (plan.gateway !== undefined) {
      registerCustom(`${name}-route`, m.containerRoute(plan, plan.gateway), child);
    }
    register(k8s.apps.v1.StatefulSet, `${name}-workload`, m.statefulSet(plan), {
      ...child,
      dependsOn: [home, keys, identity, sshd, policy, service],
    });

    this.hostName = pulumi.output(plan.hostNames[0] ?? plan.name);
    this.hostPublicKey = pulumi.unsecret(hostKey.publicKey);
    this.knownHosts = this.hostPublicKey.apply((key) =>
      m.knownHostsLine(plan.hostNames, plan.sshd.port, key),
    );
    const client = clientText(plan);
    this.sshConfig = client.sshConfig;
    this.sshCommand = client.sshCommand;
    this.registerOutputs({
      hostName: this.hostName,
      hostPublicKey: this.hostPublicKey,
      knownHosts: this.knownHosts,
      sshConfig: this.sshConfig,
      sshCommand: this.sshCommand,
    });
  }
}

/** The host key from whichever of seed and private key was given (the schema saw to it that one was). */
function resolveHostKey(plan: m.DevContainerPlan): pulumi.Output<m.HostKey> {
  const { seed, privateKey } = plan.hostKey;
  return seed === undefined
    ? output(privateKey as m.Placed<string>).apply(m.readHostKey)
    : output(seed).apply((text) => m.deriveHostKey(text, plan.hostIdentity));
}

/** A component's inputs are stored in Pulumi's state, so secrets among them must be marked before. */
function withoutSecrets(args: DevContainerArgs): pulumi.Inputs {
  const { seed, privateKey } = args.hostKey;
  return {
    ...args,
    hostKey: {
      ...(seed === undefined ? {} : { seed: pulumi.secret(seed) }),
      ...(privateKey === undefined ? {} : { privateKey: pulumi.secret(privateKey) }),
    },
  };
}

function clientText(plan: m.DevContainerPlan) {
  const { gateway } = plan;
  if (gateway?.plainPort === undefined) {
    const none = `# ${plan.name} has no gateway, so there is no way in by ssh\n`;
    return { sshConfig: pulumi.output(none), sshCommand: pulumi.output(none) };
  }
  const hostName = plan.hostNames[0] ?? plan.name;
  const port = gateway.plainPort;
  const address = output(gateway.address ?? `<address of the gateway ${gateway.namespace}/${gateway.name}>`);
  return {
    sshConfig: address.apply((host) =>
      m.sshConfigBlock({
        alias: plan.name,
        hostName,
        port: plan.sshd.port,
        user: plan.user.name,
        proxyCommand: m.connectProxyCommand("proxytunnel", { address: host, port }),
      }),
    ),
    sshCommand: address.apply(
      (host) =>
        `ssh -o ProxyCommand='${m.connectProxyCommand("nc", { address: host, port })}' -p ${plan.sshd.port} ${plan.user.name}@${hostName}`,
    ),
  };
}
