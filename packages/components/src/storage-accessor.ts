import * as m from "@drawbridge-iac/manifests";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { checkArgs } from "./check-args.ts";
import { output, refOf, settled } from "./inputs.ts";
import type { StorageAccessorArgs, StorageRef } from "./made/storage-accessor.ts";
import { register, registerCustom } from "./register.ts";

/**
 * A volume of a team: filled once, mounted in containers, and browsed at one shared address by those who have
 * a credential.
 *
 * @example
 * ```ts
 * const models = new StorageAccessor("models", {
 *   namespace: "team-a",
 *   prepare: { image: "registry.example.com/tools:1.2", command: ["sh", "-c"], args: ["echo seeded > README.txt"] },
 *   browse: {
 *     proxy: proxy.ref,
 *     credentials: [{ user: "alice", password: config.requireSecret("alicePassword") }],
 *   },
 * });
 * new DevContainer("dev1", { namespace: "team-a", storage: [{ from: models.ref, mountPath: "/models" }], … });
 * export const url = models.url;
 * ```
 */
export class StorageAccessor extends pulumi.ComponentResource {
  /** Name of the claim that holds the data, known when the preparation is done. */
  public readonly claimName: pulumi.Output<string>;
  /** `Preparing`, `Ready`, or `Failed:` with the reason. */
  public readonly state: pulumi.Output<string>;
  /** Where its files are seen; a sentence that says why not where it cannot be browsed. */
  public readonly url: pulumi.Output<string>;
  /** What `drawbridge list` shows of it, as JSON; export it and run `drawbridge ssh-config`. */
  public readonly storageTarget: pulumi.Output<string>;
  /**
   * What containers and other storages need to mount this one: `storage[].from` and `prepare.copyFrom`. They wait for the
   * preparation.
   */
  public readonly ref: pulumi.Output<StorageRef>;

  constructor(name: string, args: StorageAccessorArgs, opts?: pulumi.ComponentResourceOptions) {
    const checked = checkArgs({
      component: "StorageAccessor",
      name,
      schema: m.storageAccessorSchema,
      args,
      opts,
      names: (given) => [
        {
          path: "name",
          name: m.planStorage(name, given).path,
          code: "name-taken",
        },
      ],
      told: ({ browse }) => [browse?.proxyAddress, browse?.proxy.address],
    });
    const plan = m.planStorage(name, checked.args);
    const passwords = plan.accessor?.credentials.map(({ password }) => password) ?? [];
    const rules = pulumi.secret(
      output(m.whenAllKnown(passwords, (known) => m.accessRules(plan.accessor?.credentials ?? [], known))),
    );
    super("drawbridge:index:StorageAccessor", name, checked.inputs, opts);
    const child: pulumi.CustomResourceOptions = { parent: this, ...checked.child };

    const claim = plan.claimName === undefined ? [registerClaim(name, plan, child)] : [];
    const job = registerPreparation(name, plan, pulumi.mergeOptions(child, { dependsOn: claim }));
    const filled = job === undefined ? claim : [...claim, job];
    registerAccess(name, plan, rules, pulumi.mergeOptions(child, { dependsOn: filled }));

    this.claimName = afterwards(job, plan.names.claim);
    this.state = job === undefined ? pulumi.output("Ready") : job.status.apply(m.storageState);
    this.url = storageUrl(plan);
    this.ref = refOf(reference(plan), filled);
    this.storageTarget = storageTarget(plan, this.state, this.url);
    this.registerOutputs({
      claimName: this.claimName,
      state: this.state,
      url: this.url,
      storageTarget: this.storageTarget,
      ref: this.ref,
    });
  }
}

function reference(plan: m.StoragePlan) {
  const { name, namespace, names, accessMode, nodeGroup, owner } = plan;
  return { name, namespace, claimName: names.claim, accessMode, nodeGroup, gid: owner.gid };
}

/** `value`, known only when `resource` is there, so that what uses it waits. */
function afterwards(
  resource: pulumi.CustomResource | undefined,
  value: m.Placed<string>,
): pulumi.Output<string> {
  const known = output(value);
  return resource === undefined ? known : pulumi.all([known, resource.id]).apply(([name]) => name);
}

function registerClaim(name: string, plan: m.StoragePlan, opts: pulumi.CustomResourceOptions) {
  return register(k8s.core.v1.PersistentVolumeClaim, `${name}-claim`, m.storageClaim(plan), {
    ...opts,
    // People's data: it stays when the storage is removed. `retainOnDelete` instead of `protect`, because a
    // protected resource would make the removal itself fail.
    retainOnDelete: true,
  });
}

function registerPreparation(name: string, plan: m.StoragePlan, opts: pulumi.CustomResourceOptions) {
  const { prepare } = plan;
  if (prepare === undefined) return undefined;
  const needed =
    Object.keys(prepare.secretEnv).length === 0
      ? []
      : [
          register(
            k8s.core.v1.Secret,
            `${name}-prepare-env`,
            m.prepareEnvSecret(plan, pulumi.secret(settled(prepare.secretEnv))),
            opts,
          ),
        ];
  return register(k8s.batch.v1.Job, `${name}-prepare-${prepare.revision}`, m.prepareJob(plan, prepare), {
    ...pulumi.mergeOptions(opts, { dependsOn: needed }),
    // A changed command must not touch data that people work with: only another revision runs it.
    ignoreChanges: ["spec"],
    customTimeouts: { create: `${prepare.timeLimitSeconds + 60}s` },
  });
}

/** The address stands as soon as there is an accessor; what answers there, when it is switched on. */
function registerAccess(
  name: string,
  plan: m.StoragePlan,
  rules: pulumi.Output<string>,
  opts: pulumi.CustomResourceOptions,
): void {
  const { accessor, proxy } = plan;
  if (proxy === undefined) return;
  const service = register(k8s.core.v1.Service, `${name}-service`, m.accessorService(plan), opts);
  const walls = m.accessorNetworkPolicy(plan, proxy);
  const policy = register(k8s.networking.v1.NetworkPolicy, `${name}-network`, walls, opts);
  if (plan.mode === "istio") registerCustom(`${name}-route`, m.storageRoute(plan, proxy), opts);
  if (accessor === undefined) return;
  const before: pulumi.Resource[] = [service, policy];
  const marks: Record<string, pulumi.Output<string>> = {};
  if (accessor.credentials.length > 0) {
    const secret = m.credentialsSecret(plan, rules);
    before.push(register(k8s.core.v1.Secret, `${name}-credentials`, secret, opts));
    marks.credentials = pulumi.unsecret(
      settled({ rules, path: plan.path }).apply((known) => m.slowMark(known.path, known.rules)),
    );
  }
  const { jwt } = accessor;
  if (jwt !== undefined) {
    const { issuer, audiences, jwks, claim, values } = jwt;
    const check = { issuer, audiences, jwks, claim, values };
    const config = settled({ check, path: plan.path }).apply(({ check, path }) =>
      JSON.stringify(m.tokenCheckConfig({ ...plan, path }, accessor, check)),
    );
    const configMap = m.tokenCheckConfigMap(plan, config);
    before.push(register(k8s.core.v1.ConfigMap, `${name}-token-check`, configMap, opts));
    marks["token-check"] = config.apply((text) => m.hashOf(text));
  }
  const workload = m.accessorDeployment(plan, accessor, marks);
  register(
    k8s.apps.v1.Deployment,
    `${name}-accessor`,
    workload,
    pulumi.mergeOptions(opts, { dependsOn: before }),
  );
}

function storageUrl(plan: m.StoragePlan): pulumi.Output<string> {
  const { proxy } = plan;
  if (proxy === undefined) return pulumi.output(`${plan.name} has no accessor, so there is no address`);
  const { name, namespace, scheme, port, host } = proxy;
  const address = plan.proxyAddress ?? proxy.address;
  return settled({ name, namespace, scheme, port, host, address, path: plan.path }).apply((known) => {
    const at = known.host ?? known.address ?? `<address of the proxy ${known.namespace}/${known.name}>`;
    return `${m.proxyOrigin(known, at)}${known.path}/`;
  });
}

function storageTarget(plan: m.StoragePlan, state: pulumi.Output<string>, url: pulumi.Output<string>) {
  const { name, namespace, proxy } = plan;
  return settled({ namespace, state, url }).apply(({ namespace, state, url }) => {
    const target: m.StorageTarget = { kind: m.storageTargetKind, name, namespace, state };
    return JSON.stringify(proxy === undefined ? target : { ...target, url });
  });
}
