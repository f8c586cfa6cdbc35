/** The kinds of objects that drawbridge makes, with the fields that each has. Nothing but types: a program loads none of it. */
import type { input } from "@pulumi/kubernetes/types/index.js";
import type { Input, InputList } from "../kit/input.ts";

/** Each kind's fields by its name, `apiVersion` and `kind` among them. */
export interface Kinds extends CustomKinds {
  ConfigMap: input.core.v1.ConfigMap;
  LimitRange: input.core.v1.LimitRange;
  Namespace: input.core.v1.Namespace;
  PersistentVolumeClaim: input.core.v1.PersistentVolumeClaim;
  ResourceQuota: input.core.v1.ResourceQuota;
  Secret: input.core.v1.Secret;
  Service: input.core.v1.Service;
  ServiceAccount: input.core.v1.ServiceAccount;
  Deployment: input.apps.v1.Deployment;
  StatefulSet: input.apps.v1.StatefulSet;
  HorizontalPodAutoscaler: input.autoscaling.v2.HorizontalPodAutoscaler;
  Job: input.batch.v1.Job;
  EndpointSlice: input.discovery.v1.EndpointSlice;
  NetworkPolicy: input.networking.v1.NetworkPolicy;
  PodDisruptionBudget: input.policy.v1.PodDisruptionBudget;
  Role: input.rbac.v1.Role;
  RoleBinding: input.rbac.v1.RoleBinding;
  ClusterRole: input.rbac.v1.ClusterRole;
  ClusterRoleBinding: input.rbac.v1.ClusterRoleBinding;
  ValidatingAdmissionPolicy: input.admissionregistration.v1.ValidatingAdmissionPolicy;
  ValidatingAdmissionPolicyBinding: input.admissionregistration.v1.ValidatingAdmissionPolicyBinding;
}

export type Kind = keyof Kinds;

export type Affinity = input.core.v1.Affinity;
export type PodSpec = input.core.v1.PodSpec;
export type Container = input.core.v1.Container;
export type SecurityContext = input.core.v1.SecurityContext;
export type Volume = input.core.v1.Volume;
export type IngressRule = input.networking.v1.NetworkPolicyIngressRule;
export type EgressRule = input.networking.v1.NetworkPolicyEgressRule;
export type Subject = input.rbac.v1.Subject;

export interface Custom<Version extends string, Kind extends string, Spec> {
  apiVersion?: Version;
  kind?: Kind;
  metadata?: Input<input.meta.v1.ObjectMeta>;
  spec: Spec;
}

type Labels = Readonly<Record<string, Input<string>>>;
type StringMatch = Input<{ exact: Input<string> } | { prefix: Input<string> } | { regex: Input<string> }>;

interface Destination {
  destination: { host: Input<string>; port: { number: Input<number> } };
}

export interface GatewaySpec {
  selector: Input<Labels>;
  servers: readonly {
    port: { number: Input<number>; name: string; protocol: "HTTP" | "HTTPS" | "TLS" };
    hosts: readonly Input<string>[];
    tls?: {
      mode: "SIMPLE" | "MUTUAL";
      credentialName: Input<string>;
      minProtocolVersion?: "TLSV1_2";
    };
  }[];
}

export interface VirtualServiceSpec {
  hosts: readonly Input<string>[];
  gateways: readonly Input<string>[];
  exportTo: readonly Input<string>[];
  http?: readonly {
    name: string;
    match: readonly {
      uri?: StringMatch;
      authority?: StringMatch;
      headers?: Readonly<Record<string, StringMatch>>;
    }[];
    retries?: { attempts: number };
    route?: readonly Destination[];
    directResponse?: { status: number; body: { string: string } };
  }[];
  tcp?: readonly { match: readonly { port: Input<number> }[]; route: readonly Destination[] }[];
}

/** One patch of Envoy's configuration, of which `value` is a part in Envoy's own words. */
export interface EnvoyPatch {
  applyTo: "CLUSTER" | "HTTP_FILTER" | "HTTP_ROUTE" | "LISTENER" | "NETWORK_FILTER";
  match: { context: "GATEWAY"; listener?: object; routeConfiguration?: object };
  patch: { operation: "INSERT_FIRST" | "MERGE" | "REMOVE"; value?: object };
}

export interface EnvoyFilterSpec {
  workloadSelector: { labels: Input<Labels> };
  configPatches: Input<readonly EnvoyPatch[]>;
}

export interface AuthorizationPolicySpec {
  selector: { matchLabels: Input<Labels> };
  action: "ALLOW";
  rules: Input<
    readonly {
      from: readonly { source: { principals: readonly Input<string>[] } }[];
      to: readonly { operation: { methods: readonly string[] } }[];
    }[]
  >;
}

export interface CertificateSpec {
  secretName: Input<string>;
  dnsNames: InputList<string>;
  issuerRef: { group: string; kind: Input<string>; name: Input<string> };
  privateKey: { algorithm: "ECDSA"; size: number; rotationPolicy: "Always" };
  usages: readonly string[];
}

interface IssuerSpec {
  ca: { secretName: Input<string> };
}

/**
 * The custom resources that drawbridge makes, with the fields that it writes. `test/lab/lab.test.ts` holds Istio's to the
 * CustomResourceDefinitions of the lab, which has no cert-manager.
 */
interface CustomKinds {
  Gateway: Custom<"networking.istio.io/v1", "Gateway", GatewaySpec>;
  VirtualService: Custom<"networking.istio.io/v1", "VirtualService", VirtualServiceSpec>;
  EnvoyFilter: Custom<"networking.istio.io/v1alpha3", "EnvoyFilter", EnvoyFilterSpec>;
  AuthorizationPolicy: Custom<"security.istio.io/v1", "AuthorizationPolicy", AuthorizationPolicySpec>;
  Certificate: Custom<"cert-manager.io/v1", "Certificate", CertificateSpec>;
  Issuer: Custom<"cert-manager.io/v1", "Issuer", IssuerSpec>;
  ClusterIssuer: Custom<"cert-manager.io/v1", "ClusterIssuer", IssuerSpec>;
}
