/** The kinds of objects that drawbridge makes, with the fields that each has. Nothing but types: a program loads none of it. */
import type { input } from "@pulumi/kubernetes/types/index.js";
import type { CustomKinds } from "./custom-kinds.ts";

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
