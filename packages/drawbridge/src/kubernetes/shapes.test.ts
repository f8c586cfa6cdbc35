import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { issuesOf } from "../kit/args-error.ts";
import { whole } from "../kit/shapes.ts";
import { reading } from "../kit/zod-faults.ts";
import {
  absolutePath,
  cidr,
  dataKey,
  dnsLabel,
  domainName,
  envName,
  hostOrAddress,
  imageReference,
  labelValue,
  objectName,
  ownNamespace,
  port,
  proxyUrl,
  qualifiedName,
  quantity,
  quotaName,
  serviceName,
  size,
  userName,
} from "./shapes.ts";

const long = (length: number) => "a".repeat(length);

/** What is said of a wrong value. */
function said(shape: z.ZodType, value: unknown): string[] {
  const { error } = shape.safeParse(value, reading);
  return error === undefined ? [] : issuesOf(error).map(({ message }) => message);
}

/** Each shape with values it takes and values it refuses. */
const table: Record<string, { shape: z.ZodType; valid: unknown[]; invalid: unknown[] }> = {
  dnsLabel: {
    shape: dnsLabel,
    valid: ["a", "0", "dev-1", long(63)],
    invalid: ["", "-a", "a-", "Dev", "a.b", "a_b", long(64), 1],
  },
  serviceName: {
    shape: serviceName,
    valid: ["a", "dev-1", long(63)],
    invalid: ["1dev", "", "Dev", "dev-", "a.b", long(64)],
  },
  domainName: {
    shape: domainName,
    valid: ["example.com", "dev.example.com", "a.b", "xn--bcher-kva.example"],
    invalid: [
      "example",
      "https://example.com",
      "example.com.",
      "*.example.com",
      "example.com:22",
      "Example.com",
      "10.0.0.1",
      "",
      `${long(64)}.com`,
    ],
  },
  hostOrAddress: {
    shape: hostOrAddress,
    valid: ["ssh.example.com", "192.0.2.7", "2001:db8::1", "localhost"],
    invalid: ["", "http://x", "a b", "-x", "x;y"],
  },
  port: { shape: port, valid: [1, 22, 65535], invalid: [0, -1, 65536, 22.5, "22", null] },
  quantity: {
    shape: quantity,
    valid: ["500m", "4", "16Gi", "1.5", "100k", "2E"],
    invalid: ["", "-1", "16GB", "16 Gi", "1e3", "Gi", 16],
  },
  size: { shape: size, valid: ["1Mi", "20Gi"], invalid: ["team-a", "20", 20] },
  ownNamespace: { shape: ownNamespace, valid: ["team-a"], invalid: ["1Mi", "kube-system"] },
  absolutePath: {
    shape: absolutePath,
    valid: ["/a", "/data/models", "/opt/conda-3.1_x+y@z", "/a/.b", "/a/..b"],
    invalid: ["", "/", "a", "/a/", "/a//b", "/a/../b", "/a/.", "/..", "/a b", "/a:b", `/${long(255)}`],
  },
  cidr: {
    shape: cidr,
    valid: ["10.0.0.0/8", "0.0.0.0/0", "192.0.2.7/32", "2001:db8::/32", "::/0", "::1/128"],
    invalid: [
      ...["10.0.0.0", "10.0.0.0/33", "256.0.0.0/8", "10.0.0/8", "01.02.03.04/8", "example.com/8", ""],
      ...["2001:db8::/129", ":::/64", "1:2:3/64", ":/0", "12345::/16", "fe80::1%eth0/64", "10.0.0.0/08"],
      ...["10.0.0.1/8", "192.0.2.1/0", "2001:db8::1/32", "::1/0", "::ffff:10.0.0.0/104"],
    ],
  },
  envName: { shape: envName, valid: ["A", "_x", "PATH_2"], invalid: ["", "2A", "A-B", "A=B", "A B"] },
  userName: {
    shape: userName,
    valid: ["jovyan", "_a", "a-b_c1", long(32)],
    invalid: ["", "Al", "1a", "a.b", long(33), "a b"],
  },
  imageReference: {
    shape: imageReference,
    valid: [
      "ubuntu:24.04",
      "r.example.com:5000/a/b:1",
      `x@sha256:${"0".repeat(64)}`,
      `x:1@sha256:${"f".repeat(64)}`,
    ],
    invalid: ["ubuntu", "ubuntu:latest", "r.example.com/a:latest", "", "Ubuntu:1", "x@sha256:00", "a b:1"],
  },
  labelValue: {
    shape: labelValue,
    valid: ["", "a", "A100-SXM4", "x_y.z", long(63)],
    invalid: ["-a", "a-", "a/b", long(64)],
  },
  objectName: {
    shape: objectName,
    valid: ["a", "fast-ssd", "a.b.c", "0"],
    invalid: ["", "A", "a_b", ".a", "a.", "a..b", "-a"],
  },
  qualifiedName: {
    shape: qualifiedName,
    valid: ["app", "nvidia.com/gpu", "nvidia.com/mig-1g.10gb", "topology.kubernetes.io/zone"],
    invalid: [
      "",
      "/a",
      "a/",
      "Example.com/a",
      "a/b/c",
      "a b",
      `a/${long(64)}`,
      "a..b/c",
      "a.-b/c",
      `${long(254)}/a`,
    ],
  },
  quotaName: {
    shape: quotaName,
    valid: [
      "cpu",
      "requests.storage",
      "pods",
      "count/jobs.batch",
      "requests.nvidia.com/gpu",
      "services.nodeports",
    ],
    invalid: ["", "a", "requests", "request.cpu", "limits.storage", "$$", "a..b/c"],
  },
  dataKey: { shape: dataKey, valid: ["ca.crt", "a", "A_b-c.d"], invalid: ["", ".", "..", "a/b", "a b"] },
  proxyUrl: {
    shape: proxyUrl,
    valid: ["http://proxy.example.com:3128", "https://proxy:1/", "http://10.0.0.1"],
    invalid: ["proxy:3128", "http://user:word@proxy", "http://proxy/path", "ftp://proxy", "", "http://"],
  },
};

describe("shapes", () => {
  it.each(Object.entries(table))(
    "%s takes what is valid and refuses what is not",
    (_, { shape, valid, invalid }) => {
      const accepted = (value: unknown) => shape.safeParse(value).success;
      expect({
        refused: valid.filter((value) => !accepted(value)),
        accepted: invalid.filter(accepted),
      }).toEqual({ refused: [], accepted: [] });
    },
  );

  it("says what is wrong, the value and what is allowed", () => {
    expect(said(dnsLabel, "Team A")).toEqual([
      '"Team A" is not a DNS label; use at most 63 lower-case letters, digits and inner hyphens',
    ]);
  });

  it("says what is meant instead of a number of bytes, a web address, a namespace of the cluster", () => {
    expect([
      ...said(size, 20),
      ...said(size, "20"),
      ...said(size, "20 GB"),
      ...said(quantity, 2),
      ...said(imageReference, "https://registry.example.com/dev:1"),
      ...said(ownNamespace, "kube-system"),
      ...said(whole(1, 8, "GPUs"), "1"),
    ]).toEqual([
      'has no unit; write it like "20Gi"',
      '"20" is less than 1Mi; write it with its unit, like "20Gi"',
      '"20 GB" is not a quantity; write it like "500m", "4" or "16Gi"',
      'must be text; write it like "500m", "4" or "16Gi", in quotes',
      '"https://registry.example.com/dev:1" is a web address; write the image without https://',
      '"kube-system" belongs to the cluster itself; set a namespace of your own',
      'must be a whole number, not the text "1"; remove the quotes',
    ]);
  });

  it("bounds whole numbers and names their unit", () => {
    const seconds = whole(5, 10, "seconds");
    expect([4, 5, 10, 11, 7.5, "7"].map((value) => seconds.safeParse(value).success)).toEqual([
      false,
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(said(seconds, 11)).toEqual(["11 is out of range; use a whole number of seconds from 5 to 10"]);
  });

  it("never shows a proxy's address, which may hold a password", () => {
    expect(said(proxyUrl, "http://user:word@proxy")).toEqual([
      'is not a proxy address; write it like "http://proxy.example.com:3128", without credentials',
    ]);
  });
});
