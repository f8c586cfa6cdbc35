/** Components with one argument set in each, and together with all arguments. */
import {
  DevContainer,
  FrpServer,
  InjectedSshd,
  SshGateway,
  SshRoute,
  StorageAccessor,
  StorageProxy,
  Team,
  TeamMembers,
  TeamPolicies,
} from "@drawbridge-iac/drawbridge";
import type * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import { teamPoliciesSchema, teamSchema } from "../../../packages/drawbridge/src/team/args.ts";
import { teamMembersSchema } from "../../../packages/drawbridge/src/team/members.ts";
import { containerBase } from "../../../scripts/lib/field-edits/container-base.ts";
import { type Args, edited, type FieldEdits } from "../../../scripts/lib/field-edits/edit.ts";
import { type EditedKind, editedKinds } from "../../../scripts/lib/field-edits/index.ts";
import { type Property, writtenSchema } from "../../../scripts/lib/plugin-schema.ts";

export type Kind = keyof typeof tables;

export interface Instance {
  readonly kind: Kind;
  readonly name: string;
  readonly args: Args;
}

type Component = new (name: string, args: never) => pulumi.ComponentResource;

const teamEdits: FieldEdits = {
  ...editedKinds["platform's team"].edits,
  namespace: { value: "renamed" },
  createNamespace: { value: false },
  idle: { to: { idle: true, deployers: { users: ["alice"] } } },
};

const somebody = { users: ["alice"], groups: ["all"] };
const memberEdits: FieldEdits = {
  viewers: { value: somebody },
  sshpod: { value: somebody },
};

const image = containerBase.image;
const keyRef = { name: "settings", key: "level", optional: true };
const items = [{ key: "level", path: "level.txt", mode: 0o400 }];
const probe = { exec: { command: ["true"] }, periodSeconds: 7 };
const helper = {
  name: "helper",
  image,
  imagePullPolicy: "Always",
  command: ["run"],
  args: ["all"],
  workingDir: "/work",
  env: { STAGE: "test" },
  secretEnv: { TOKEN: "a secret" },
  envValueFrom: { LEVEL: { configMapKeyRef: keyRef } },
  envFrom: [
    { prefix: "DB_", configMapRef: { name: "settings", optional: true } },
    { secretRef: { name: "database" } },
  ],
  resources: { memory: "64Mi" },
  volumeMounts: [{ name: "settings", mountPath: "/settings" }],
  securityContext: { readOnlyRootFilesystem: true, runAsUser: 1234, runAsGroup: 1235 },
};
const mark = { metadata: { annotations: { mark: "yes" } } };

// The keys of these maps are in an order that no plugin keeps.
const labels = { "example.com/team": "a", "example.com/app": "b" };
const variables = { STAGE: "test", LEVEL: "2" };
const quantities = { memory: "64Mi", cpu: "10m" };
const maps = {
  podLabels: labels,
  podAnnotations: labels,
  scheduling: { nodeSelector: labels },
};

/** Parts of a pod for which there is no table of edits, each with all that it can hold. */
const podEdits: FieldEdits = {
  maps: {
    to: {
      ...maps,
      env: variables,
      resources: { requests: quantities, limits: quantities },
      ingress: [{ podLabels: labels, ports: [8080] }],
      ports: [{ name: "web", port: 8080 }],
    },
  },
  environment: {
    to: {
      envValueFrom: {
        NODE: { fieldRef: { fieldPath: "spec.nodeName" } },
        CPU: { resourceFieldRef: { containerName: "dev", resource: "limits.cpu" } },
      },
    },
  },
  helpers: {
    to: {
      volumes: [
        { name: "settings", configMap: { name: "settings", items, optional: true } },
        { name: "data", persistentVolumeClaim: { claimName: "data", readOnly: true } },
        { name: "key", secret: { secretName: "key", items, optional: true } },
        { name: "driver", csi: { driver: "csi.example.com", readOnly: true } },
        {
          name: "own",
          ephemeral: {
            volumeClaimTemplate: {
              spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
            },
          },
        },
        {
          name: "token",
          projected: { sources: [{ serviceAccountToken: { path: "token", audience: "vault" } }] },
        },
        { name: "pod", downwardAPI: { items: [{ path: "name", fieldRef: { fieldPath: "metadata.name" } }] } },
      ],
      initContainers: [helper],
      sidecars: [
        {
          ...helper,
          name: "beside",
          ports: [{ name: "web", containerPort: 8080 }],
          startupProbe: probe,
          livenessProbe: probe,
          readinessProbe: probe,
        },
      ],
    },
  },
  affinity: {
    to: {
      scheduling: {
        affinity: {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              {
                topologyKey: "kubernetes.io/hostname",
                labelSelector: { matchExpressions: [{ key: "app", operator: "NotIn", values: ["noisy"] }] },
                namespaces: ["team-b"],
                namespaceSelector: { matchLabels: { kind: "team" } },
              },
            ],
          },
        },
      },
    },
  },
  patches: {
    from: { persist: ["/opt"], access: { ...containerBase.access, sshpod: { users: ["alice"] } } },
    to: {
      patches: Object.fromEntries(
        "workload service persist disruption network authorizedKeys hostKey sshd route sshpod sshpodBinding"
          .split(" ")
          .map((object) => [object, mark]),
      ),
    },
  },
};

const allMaps: FieldEdits = { maps: { to: maps } };
const { container, storage, gateway } = editedKinds;

/** An edited kind with edits of its parts that have no table of their own. */
const withMore = (kind: EditedKind, more: FieldEdits): EditedKind => ({
  ...kind,
  edits: { ...kind.edits, ...more },
});

/** Each component with its schema, its edits and what they start from. */
const tables = {
  DevContainer: [
    DevContainer,
    withMore(
      container,
      Object.fromEntries(Object.entries(podEdits).map(([name, edit]) => [`all ${name}`, edit])),
    ),
  ],
  FrpServer: [FrpServer, withMore(editedKinds["frp server"], allMaps)],
  InjectedSshd: [InjectedSshd, editedKinds["sshd in another's pod"]],
  SshGateway: [SshGateway, withMore(gateway, allMaps)],
  SshRoute: [SshRoute, editedKinds["SSH route"]],
  StorageAccessor: [
    StorageAccessor,
    withMore(storage, { maps: { to: { ...maps, prepare: { image, env: variables } } } }),
  ],
  StorageProxy: [StorageProxy, withMore(editedKinds["storage proxy"], allMaps)],
  Team: [Team, { schema: teamSchema, edits: teamEdits, base: () => ({}) }],
  TeamMembers: [
    TeamMembers,
    { schema: teamMembersSchema, edits: memberEdits, base: (name) => ({ namespace: name }) },
  ],
  TeamPolicies: [
    TeamPolicies,
    { schema: teamPoliciesSchema, edits: { name: { value: "teams" } }, base: () => ({}) },
  ],
} satisfies Readonly<Record<string, readonly [Component, EditedKind]>>;

/** @param isEdited whether they have the argument, or only what it starts from */
export function everyArgument(isEdited = true): Instance[] {
  return Object.entries(tables).flatMap(([kind, [, { edits, base }]]) =>
    Object.entries(edits).map(([path, edit], index): Instance => {
      const name = `${kind.toLowerCase().slice(0, 8)}${index}`;
      const { before, after } = edited(path, edit, base(name));
      return { kind: kind as Kind, name, args: JSON.parse(JSON.stringify(isEdited ? after : before)) };
    }),
  );
}

export const schemaOf = (kind: Kind): z.ZodType => tables[kind][1].schema;

/** Registers an instance in the program itself. */
export function make({ kind, name, args }: Instance): pulumi.ComponentResource {
  const [Made]: readonly [Component, ...unknown[]] = tables[kind];
  return new Made(name, args as never);
}

/** The arguments of the schema, as `<type>.<name>`, that no instance has. */
export function unset(instances: readonly Instance[]): string[] {
  const { resources, types } = writtenSchema();
  const wanted = new Set<string>();
  const seen = new Set<string>();
  const owners = new Set<string>();
  // What an argument can hold, from the resources on: outputs have types of their own.
  const want = (owner: string, properties: Readonly<Record<string, Property>>) => {
    if (owners.has(owner)) return;
    owners.add(owner);
    for (const [name, property] of Object.entries(properties)) {
      wanted.add(`${owner}.${name}`);
      const inner = typeOf(property);
      if (inner !== undefined) want(inner, fieldsOf(inner));
    }
  };
  const typeOf = ({ $ref, items, additionalProperties }: Property): string | undefined => {
    const each = items ?? additionalProperties;
    if (each !== undefined) return typeOf(each);
    const name = $ref?.startsWith("#/types/") === true ? $ref.replace("#/types/", "") : undefined;
    return name !== undefined && types[name]?.properties !== undefined ? name : undefined;
  };
  const fieldsOf = (type: string) => types[type]?.properties ?? {};
  const note = (owner: string, properties: Readonly<Record<string, Property>>, value: object) => {
    for (const [name, inner] of Object.entries(value)) {
      seen.add(`${owner}.${name}`);
      const property = properties[name];
      const type = property && typeOf(property);
      if (type === undefined) continue;
      const values = property?.items || property?.additionalProperties ? Object.values(inner) : [inner];
      for (const one of values) note(type, fieldsOf(type), one as object);
    }
  };
  for (const kind of Object.keys(tables)) {
    want(kind, resources[`drawbridge:index:${kind}`]?.inputProperties ?? {});
  }
  for (const { kind, args } of instances) {
    note(kind, resources[`drawbridge:index:${kind}`]?.inputProperties ?? {}, args);
  }
  return [...wanted].filter((name) => !seen.has(name)).map((name) => name.replace("drawbridge:index:", ""));
}
