/** Leaf shapes shared by all schemas. */
import { z } from "zod";
import { code, unlessMissing } from "../kit/fault.ts";
import { matching, text } from "../kit/shapes.ts";
import { parseCidr } from "./ip.ts";
import { quantityValue } from "./quantity.ts";

/** A DNS label: names of containers, namespaces and Services become parts of host names. */
export const dnsLabel = text(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, 63, "not-a-dns-label");

/** A namespace that a component's objects go into. */
export const ownNamespace = dnsLabel.refine((value) => !/^kube-/.test(value), code("namespace-of-cluster"));

const startsWithLetter = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

/** A Service name must start with a letter (RFC 1035), and a container's name becomes its Service's. */
export const serviceName = text(startsWithLetter, 63, "not-a-service-name");

/**
 * A container's name is its StatefulSet's too, by which Kubernetes labels the pod's version: a hyphen and ten characters
 * more.
 */
export const containerName = text(startsWithLetter, 63 - 11, "not-a-container-name");

/** A domain name of at least two labels, without scheme, port or trailing dot. */
export const domainName = text(
  /^(?=.{3,253}$)([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\.)+[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/,
  253,
  "not-a-domain",
);

/** A host name or an IP address, as a client would connect to. */
export const hostOrAddress = text(
  /^([A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?|[0-9A-Fa-f:.]+)$/,
  253,
  "not-a-host",
);

/** A TCP port. */
export const port = z.int().refine((value) => value >= 1 && value <= 65535, code("not-a-port"));

const isQuantity = (value: string) =>
  value.length <= 32 && /^[0-9]+(\.[0-9]+)?(m|k|Ki|M|Mi|G|Gi|T|Ti|P|Pi|E|Ei)?$/.test(value);

/** A Kubernetes quantity such as 500m, 4, 16Gi. */
export const quantity = z
  .string({ error: unlessMissing("quantity-without-quotes") })
  .refine(isQuantity, code("not-a-quantity"));

/** Less is a number whose unit is missing or another. */
export const isSize = (bytes: number): boolean => bytes >= 2 ** 20;

/** A quantity of bytes. Without its unit a number of gibibytes would be one of bytes. */
export const size = z
  .string({ error: unlessMissing("size-without-unit") })
  .refine(isQuantity, code("not-a-quantity"))
  .refine((value) => !isQuantity(value) || isSize(quantityValue(value) ?? 0), code("size-too-small"));

/** An absolute path with no `..`, no trailing slash and no character that a mount or sshd would trip over. */
export const absolutePath = text(/^(\/(?!\.{1,2}(\/|$))[A-Za-z0-9._@+-]+)+$/, 255, "not-a-path");

/** Whether the path `inner` is `outer` or below it. */
export const within = (inner: string, outer: string): boolean =>
  inner === outer || inner.startsWith(`${outer}/`);

/** A network in CIDR notation; what may not be any network (0.0.0.0/0) checks that itself. */
export const cidr = text(/^[0-9A-Fa-f:.]+\/(0|[1-9]\d*)$/, 64, "not-a-network", (value) =>
  parseCidr(value) === undefined ? "not-a-network" : undefined,
);

/** An environment variable's name. */
export const envName = text(/^[A-Za-z_][A-Za-z0-9_]*$/, 256, "not-a-variable-name");

/** A Linux user name that sshd and NSS accept. */
export const userName = text(/^[a-z_][a-z0-9_-]*$/, 32, "not-a-user-name");

/**
 * An image with a tag other than `latest`, or with a digest: the same stack must bring up the same program
 * tomorrow.
 */
export const imageReference = text(
  /^(?!.*:latest$)([A-Za-z0-9-]+(\.[A-Za-z0-9.-]*(:[0-9]+)?|:[0-9]+)\/)?[a-z0-9][a-z0-9._/-]*(:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}|(:[A-Za-z0-9_][A-Za-z0-9_.-]*)?@sha256:[0-9a-f]{64})$/,
  512,
  "not-a-pinned-image",
  (value) => {
    if (value.includes("://")) return "image-with-scheme";
    return /^([^/]*[.:][^/]*\/)?[^:@]*[A-Z]/.test(value) ? "image-in-capitals" : undefined;
  },
);

/** A label's value, as node selectors and tolerations name it. */
export const labelValue = text(/^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/, 63, "not-a-label-value");

/** The name of an object that may have dots in it, such as a StorageClass, a Secret or a PriorityClass. */
export const objectName = text(
  /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
  253,
  "not-an-object-name",
);

/** A label's key, or a resource's name such as nvidia.com/gpu. */
export const qualifiedName = text(
  /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/,
  317,
  "not-a-qualified-name",
);

/** A resource of a node, by Kubernetes' name for it. */
export const resourceName = text(
  /^(cpu|memory|ephemeral-storage|hugepages-[0-9]+[KMGT]i|[a-z0-9]([-a-z0-9.]*[a-z0-9])?\/[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)$/,
  317,
  "not-a-resource-name",
);

/** A key in a ConfigMap or Secret, which becomes a file's name. */
export const dataKey = text(/^(?!\.{1,2}$)[-._A-Za-z0-9]+$/, 253, "not-a-data-key");

/** A web address of a proxy. Credentials in it would be readable in the cluster, so the value is never shown. */
export const proxyUrl = matching(/^https?:\/\/[^\s/?#@]+\/?$/, "not-a-proxy-address");
