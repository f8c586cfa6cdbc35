import * as m from "@drawbridge-iac/manifests";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { checkArgs } from "./check-args.ts";
import { clientText } from "./dev-container-client.ts";
import { frpCommand, registerFrpc } from "./dev-container-frp.ts";
import { hostKeys } from "./dev-container-host-key.ts";
import { registerSecretEnv } from "./dev-container-secret-env.ts";
import { containerStatus, type DevContainerStatus } from "./dev-container-status.ts";
import { output, settled } from "./inputs.ts";
import type { DevContainerArgs } from "./made/dev-container.ts";
import { register, registerCustom } from "./register.ts";

/**
 * One developer's container: sshd, a home that lasts, a pinned host key and its route on a gateway.
 *
 * @example
 * ```ts
 * const dev1 = new DevContainer("dev1", {
 *   namespace: "team-a",
 *   image: "registry.example.com/team/devcontainer:0.1.0",
 *   authorizedKeys: ["ssh-ed25519 AAAA… alice"],
 *   hostKey: { seed: config.requireSecret("hostKeySeed") },
 *   access: { gateway: gateway.ref },
 * });
 * export const sshConfig = dev1.sshConfig;
 * ```
 */
export class DevContainer extends pulumi.ComponentResource {
  /** The name clients use: `<name>.<namespace>.<domain>`, or the cluster-internal one without a gateway. */
  public readonly hostName: pulumi.Output<string>;
  /** Name of the pod, for kubectl and the way over the Kubernetes API. */
  public readonly podName: pulumi.Output<string>;
  /** Name of the claim that holds the home; `home.claimName` takes it back. */
  public readonly homeClaim: pulumi.Output<string>;
  /** The host's public key, `ssh-ed25519 AAAA…`; empty without sshd. */
  public readonly hostPublicKey: pulumi.Output<string>;
  /** `known_hosts` lines for every name of the container, also for the next key of a rotation; empty without sshd. */
  public readonly knownHosts: pulumi.Output<string>;
  /** An ssh_config block. */
  public readonly sshConfig: pulumi.Output<string>;
  /** The command that logs in, with nothing configured but `known_hosts`. */
  public readonly sshCommand: pulumi.Output<string>;
  /** The command that logs in through frp, with nothing configured but `known_hosts`; empty without frp. */
  public readonly frpCommand: pulumi.Output<string>;
  /** What the `drawbridge` command needs to know, as JSON; export it and run `drawbridge ssh-config`. */
  public readonly sshTarget: pulumi.Output<string>;
  /** The address of the primary port; empty if none is declared. */
  public readonly url: pulumi.Output<string>;
  /** Where the container stood when Pulumi last looked at the objects: `pulumi up` at what it changes, `refresh` at all. */
  public readonly status: pulumi.Output<DevContainerStatus>;

  constructor(name: string, args: DevContainerArgs, opts?: pulumi.ComponentResourceOptions) {
    const checked = checkArgs({
      component: "DevContainer",
      name,
      schema: m.devContainerSchema,
      args,
      opts,
      names: (given) =>
        m
          .planDevContainer(name, given)
          .knownNames.map((host) => ({ path: "name", name: host, code: "name-taken" })),
      told: ({ access }) => [access.gatewayAddress, access.gateway?.address, access.frp?.connectHost],
    });
    const plan = m.planDevContainer(name, checked.args);
    const identity = hostKeys(plan);
    const keysText = m.whenListed(plan.authorizedKeys, m.renderAuthorizedKeys);
    const caText = plan.userCa && m.whenListed(plan.userCa.keys, m.renderAuthorizedKeys);
    super("drawbridge:index:DevContainer", name, checked.inputs, opts);
    const child: pulumi.CustomResourceOptions = { parent: this, ...checked.child };
    // People's data: it stays when the container is removed. `retainOnDelete` instead of `protect`, because a
    // protected resource would make the removal itself fail.
    const kept: pulumi.CustomResourceOptions = { ...child, retainOnDelete: true };
    const needed: pulumi.Resource[] = [];
    const patched = (object: m.ContainerObject, manifest: m.Manifest) =>
      m.patched(manifest, plan.patches[object]);

    if (plan.home.claimName === undefined) {
      needed.push(
        register(k8s.core.v1.PersistentVolumeClaim, `${name}-home`, patched("home", m.homeClaim(plan)), kept),
      );
    }
    if (plan.persist.length > 0 && plan.persistVolume.claimName === undefined) {
      needed.push(
        register(
          k8s.core.v1.PersistentVolumeClaim,
          `${name}-persist`,
          patched("persist", m.persistClaim(plan)),
          kept,
        ),
      );
    }
    const keys = m.authorizedKeysConfigMap(plan, keysText, caText);
    if (identity !== undefined) {
      const lines = identity.publicKeys.apply((keys) => keys.join("\n"));
      const secret = m.hostKeySecret(plan, lines, identity.privateKey, identity.nextPrivateKey);
      needed.push(
        register(k8s.core.v1.ConfigMap, `${name}-authorized-keys`, patched("authorizedKeys", keys), child),
        register(k8s.core.v1.Secret, `${name}-host-key`, patched("hostKey", secret), child),
        register(k8s.core.v1.ConfigMap, `${name}-sshd`, patched("sshd", m.sshdConfigMap(plan)), child),
      );
    }
    const walls = patched("network", m.containerNetworkPolicy(plan));
    needed.push(register(k8s.networking.v1.NetworkPolicy, `${name}-network`, walls, child));
    const service = patched("service", m.containerService(plan));
    needed.push(register(k8s.core.v1.Service, `${name}-service`, service, child));
    const budget = patched("disruption", m.containerDisruptionBudget(plan));
    register(k8s.policy.v1.PodDisruptionBudget, `${name}-disruption`, budget, child);
    needed.push(...registerFrpc(name, plan, child));
    const secretEnv = registerSecretEnv(name, plan, child);
    needed.push(...secretEnv.needed);
    const account = m.containerServiceAccount(plan);
    if (account !== undefined) {
      needed.push(register(k8s.core.v1.ServiceAccount, `${name}-service-account`, account, child));
    }
    const sshpod = m.containerSshpodAccess(plan);
    if (sshpod !== undefined) {
      register(k8s.rbac.v1.Role, `${name}-sshpod`, patched("sshpod", sshpod.role), child);
      register(
        k8s.rbac.v1.RoleBinding,
        `${name}-sshpod-binding`,
        patched("sshpodBinding", sshpod.binding),
        child,
      );
    }
    const { gateway } = plan.access;
    for (const [index, { role, binding }] of m.idleGrants(plan).entries()) {
      const grantee = index === 0 ? "culler" : "activator";
      const grant = register(k8s.rbac.v1.Role, `${name}-${grantee}`, role, child);
      const bound = { ...child, dependsOn: [grant] };
      needed.push(register(k8s.rbac.v1.RoleBinding, `${name}-${grantee}-binding`, binding, bound));
    }
    const route =
      gateway && registerCustom(`${name}-route`, patched("route", m.containerRoute(plan, gateway)), child);
    const set = m.statefulSet(
      plan,
      identity?.publicKeys.apply((keys) => m.hashOf(keys)),
      plan.containersInside
        ? pulumi.output([keys.data, m.idleSettings(plan)]).apply((files) => m.hashOf(files))
        : undefined,
      secretEnv.mark,
    );
    const workload = register(k8s.apps.v1.StatefulSet, `${name}-workload`, patched("workload", set), {
      ...child,
      dependsOn: needed,
    });

    const publicKeys = identity?.publicKeys ?? pulumi.output<string[]>([]);
    this.hostName = output(plan.hostNames[0] ?? plan.name);
    this.podName = pulumi.output(`${plan.names.workload}-0`);
    this.homeClaim = output(m.homeClaimName(plan));
    this.hostPublicKey = publicKeys.apply((keys) => keys[0] ?? "");
    this.knownHosts = settled({ publicKeys, names: plan.knownNames }).apply(({ publicKeys, names }) =>
      publicKeys.map((key) => m.knownHostsLine(names, plan.ssh.port, key)).join(""),
    );
    const client = clientText(plan, publicKeys);
    this.sshConfig = client.sshConfig;
    this.sshCommand = client.sshCommand;
    this.sshTarget = client.sshTarget;
    this.frpCommand = frpCommand(plan);
    this.url = output(m.primaryUrl(plan) ?? "");
    this.status = containerStatus(plan, workload, route);
    this.registerOutputs({
      hostName: this.hostName,
      podName: this.podName,
      homeClaim: this.homeClaim,
      hostPublicKey: this.hostPublicKey,
      knownHosts: this.knownHosts,
      sshConfig: this.sshConfig,
      sshCommand: this.sshCommand,
      frpCommand: this.frpCommand,
      sshTarget: this.sshTarget,
      url: this.url,
      status: this.status,
    });
  }
}
