import { describe, expect, it } from "vitest";
import { type ArgsError, parseArgs } from "../common/args-error.ts";
import { routeAdmissionPolicy } from "./admission-policy.ts";
import { type SshGatewayInput, sshGatewaySchema } from "./args.ts";
import { identityPolicy } from "./authorization-policy.ts";
import { gatewayAutoscaler } from "./autoscaler.ts";
import { clientCaSecret, gatewayCertificate } from "./certificate.ts";
import { gatewayDeployment } from "./deployment.ts";
import { gatewayDisruptionBudget } from "./disruption-budget.ts";
import { connectEnvoyFilter } from "./envoy-filter.ts";
import { istioGateway } from "./istio-gateway.ts";
import { gatewayLoadBalancer, presetAnnotations } from "./load-balancer.ts";
import { gatewayNamespace } from "./namespace.ts";
import { planSshGateway, type TlsPlan } from "./plan.ts";
import { certificateReaderRole } from "./rbac.ts";

const plan = (args: Partial<SshGatewayInput> = {}) =>
  planSshGateway(
    "ssh",
    parseArgs("SshGateway", "ssh", sshGatewaySchema, { domain: "dev.example.com", ...args }),
  );

const patched = (of: ReturnType<typeof plan>): string[] =>
  (connectEnvoyFilter(of).spec as { configPatches: { applyTo: string }[] }).configPatches.map(
    (patch) => patch.applyTo,
  );

const faults = (args: unknown): string[] => {
  try {
    parseArgs("SshGateway", "ssh", sshGatewaySchema, args);
    return [];
  } catch (error) {
    return (error as ArgsError).issues.map((issue) => `${issue.path}: ${issue.message}`);
  }
};

describe("gateway arguments", () => {
  it("fills in every default", () => {
    const { name, namespace, replicas, drainSeconds, terminationGraceSeconds, listeners, loadBalancer } =
      plan();
    expect({
      name,
      namespace,
      replicas,
      drainSeconds,
      terminationGraceSeconds,
      listeners,
      loadBalancer,
    }).toEqual({
      name: "ssh",
      namespace: "ssh",
      replicas: 2,
      drainSeconds: 3600,
      terminationGraceSeconds: 3630,
      listeners: [{ name: "plain", port: 80 }],
      loadBalancer: {
        preset: "generic",
        scope: "internal",
        annotations: {},
        sourceRanges: [],
        ipFamilies: [],
      },
    });
  });

  it.each([
    ["no domain", {}, ["domain: is missing; give a string"]],
    [
      "a domain with a scheme",
      { domain: "https://dev.example.com" },
      [
        'domain: "https://dev.example.com" is not a domain name; write it like "dev.example.com", without scheme, port, wildcard or trailing dot',
      ],
    ],
    [
      "no listener",
      { domain: "dev.example.com", listeners: {} },
      ["listeners: names no listener, so nobody could connect; give plain: { port: 80 } or tls: { … }"],
    ],
    [
      "a port out of range",
      { domain: "dev.example.com", listeners: { plain: { port: 70000 } } },
      ["listeners.plain.port: 70000 is not a port; give a whole number from 1 to 65535"],
    ],
    [
      "an unknown preset",
      { domain: "dev.example.com", loadBalancer: { preset: "nlb" } },
      ['loadBalancer.preset: "nlb" is not one of generic, aws-nlb, gke, aks, metallb'],
    ],
    [
      "an image without a pin",
      { domain: "dev.example.com", image: "istio/proxyv2:latest" },
      [
        'image: "istio/proxyv2:latest" is neither "auto" nor a pinned image; add a tag other than "latest" or a digest',
      ],
    ],
  ])("refuses %s", (_what, args, expected) => {
    expect(faults(args)).toEqual(expected);
  });

  it("reports all faults at once, sorted by path, with the unknown key and the known ones", () => {
    expect(faults({ domain: "x", replicas: 0, listeners: {}, namespace: "Team_A", replica: 2 })).toEqual([
      expect.stringMatching(/^: unknown key "replica"; known: name, namespace, /),
      expect.stringMatching(/^domain: "x" is not a domain name/),
      expect.stringMatching(/^listeners: names no listener/),
      expect.stringMatching(/^namespace: "Team_A" is not a DNS label/),
      "replicas: 0 is out of range; give a whole number of replicas from 1 to 100",
    ]);
  });
});

describe("gateway manifests", () => {
  it("enforces Pod Security restricted on its namespace", () => {
    expect(gatewayNamespace(plan()).metadata.labels).toMatchObject({
      "pod-security.kubernetes.io/enforce": "restricted",
    });
  });

  it("patches each thing once for its whole life, and routes only on somebody else's gateway", () => {
    const existing = { namespace: "istio-ingress", selector: { istio: "ingress" } };
    expect(patched(plan())).toEqual(["HTTP_ROUTE", "LISTENER", "CLUSTER", "NETWORK_FILTER", "HTTP_FILTER"]);
    expect(patched(plan({ audit: false, rejectEarlyData: false }))).toEqual([
      "HTTP_ROUTE",
      "LISTENER",
      "CLUSTER",
    ]);
    expect(patched(plan({ existing }))).toEqual(["HTTP_ROUTE"]);
  });

  it("listens for the domain and for internal names of every namespace", () => {
    expect(istioGateway(plan({ listeners: { plain: { port: 2222 } } })).spec).toEqual({
      selector: { "app.kubernetes.io/component": "ssh-gateway", "app.kubernetes.io/instance": "ssh" },
      servers: [
        {
          port: { number: 2222, name: "http-plain", protocol: "HTTP" },
          hosts: ["*/*.dev.example.com", "*/*.svc.cluster.local"],
        },
      ],
    });
  });

  it("runs restricted and binds a low port by the pod's own sysctl", () => {
    const pod = (gatewayDeployment(plan()).spec as { template: { spec: Record<string, unknown> } }).template
      .spec;
    expect(pod.securityContext).toEqual({
      runAsNonRoot: true,
      runAsUser: 1337,
      runAsGroup: 1337,
      seccompProfile: { type: "RuntimeDefault" },
      sysctls: [{ name: "net.ipv4.ip_unprivileged_port_start", value: "80" }],
    });
    expect(
      (pod.containers as { securityContext: unknown }[]).map((container) => container.securityContext),
    ).toEqual([
      {
        allowPrivilegeEscalation: false,
        capabilities: { drop: ["ALL"] },
        readOnlyRootFilesystem: true,
      },
    ]);
  });

  it("needs no sysctl for a high port", () => {
    const high = plan({ listeners: { plain: { port: 2222 } } });
    const spec = gatewayDeployment(high).spec as {
      template: { spec: { securityContext: { sysctls: unknown } } };
    };
    expect(spec.template.spec.securityContext.sysctls).toEqual([]);
  });

  it("gives the drain window to the proxy and a little more to the pod", () => {
    const spec = gatewayDeployment(plan({ drainSeconds: 8 })).spec as {
      template: {
        metadata: { annotations: Record<string, string> };
        spec: { terminationGracePeriodSeconds: number };
      };
    };
    expect(JSON.parse(spec.template.metadata.annotations["proxy.istio.io/config"] ?? "")).toEqual({
      drainDuration: "8s",
      terminationDrainDuration: "8s",
      gatewayTopology: { forwardClientCertDetails: "SANITIZE_SET" },
    });
    expect(spec.template.spec.terminationGracePeriodSeconds).toBe(38);
  });

  it("is never all evicted at once", () => {
    expect(gatewayDisruptionBudget(plan()).spec).toMatchObject({ maxUnavailable: 1 });
  });
});

describe("TLS", () => {
  const tls = { certificate: { issuer: { name: "corp" } }, clientCa: "-----BEGIN CERTIFICATE-----\n…" };
  const mutual = plan({ listeners: { tls }, dnsName: "ssh.dev.example.com" });

  it("serves a certificate for the domain and asks for a client's", () => {
    const { servers } = istioGateway(mutual).spec as { servers: unknown[] };
    expect(servers).toEqual([
      {
        port: { number: 443, name: "https-tls", protocol: "HTTPS" },
        hosts: ["*/*.dev.example.com", "*/*.svc.cluster.local"],
        tls: { mode: "MUTUAL", credentialName: "ssh-tls", minProtocolVersion: "TLSV1_2" },
      },
    ]);
    expect(gatewayCertificate(mutual, mutual.tls as TlsPlan).spec).toMatchObject({
      secretName: "ssh-tls",
      dnsNames: ["*.dev.example.com", "ssh.dev.example.com"],
      issuerRef: { group: "cert-manager.io", kind: "ClusterIssuer", name: "corp" },
    });
    expect(clientCaSecret(mutual, mutual.tls as TlsPlan, "pem").metadata.name).toBe("ssh-tls-cacert");
    expect(certificateReaderRole(mutual).rules).toEqual([
      {
        apiGroups: [""],
        resources: ["secrets"],
        verbs: ["get", "watch", "list"],
      },
    ]);
  });

  it("asks for no client certificate without a CA", () => {
    const simple = plan({ listeners: { plain: {}, tls: { certificate: { secretName: "own" } } } });
    const { servers } = istioGateway(simple).spec as { servers: { tls?: unknown }[] };
    expect(servers.map((server) => server.tls)).toEqual([
      undefined,
      { mode: "SIMPLE", credentialName: "own", minProtocolVersion: "TLSV1_2" },
    ]);
  });

  it("lets in only the identities named", () => {
    const limited = plan({ listeners: { tls }, allow: { identities: ["spiffe://example.com/user/alice"] } });
    expect(identityPolicy(limited).spec).toMatchObject({
      action: "ALLOW",
      rules: [{ from: [{ source: { principals: ["example.com/user/alice"] } }] }],
    });
  });

  it.each([
    ["neither issuer nor Secret", { tls: { certificate: {} } }, {}, ["listeners.tls.certificate"]],
    [
      "both issuer and Secret",
      { tls: { certificate: { secretName: "a", issuer: { name: "b" } } } },
      {},
      ["listeners.tls.certificate"],
    ],
    ["one port twice", { plain: { port: 443 }, tls }, {}, ["listeners.tls.port"]],
    [
      "identities without a CA",
      { tls: { certificate: { secretName: "a" } } },
      { allow: { identities: ["spiffe://a/b"] } },
      ["allow.identities"],
    ],
    [
      "identities beside a plain listener",
      { plain: {}, tls },
      { allow: { identities: ["spiffe://a/b"] } },
      ["listeners.plain"],
    ],
    ["a DNS name outside the domain", { tls }, { dnsName: "ssh.example.org" }, ["dnsName"]],
    ["a CA that is no certificate", { tls: { ...tls, clientCa: "x" } }, {}, ["listeners.tls.clientCa"]],
  ])("refuses %s", (_what, listeners, further, paths) => {
    const found = faults({ domain: "dev.example.com", listeners, ...further });
    expect(found.map((line) => line.split(": ")[0])).toEqual(paths);
  });
});

describe("life of the proxies", () => {
  it("scales slowly down, and leaves the number of replicas to the autoscaler", () => {
    const scaled = plan({ autoscaling: { maximum: 6 } });
    expect((gatewayDeployment(scaled).spec as Record<string, unknown>).replicas).toBeUndefined();
    expect(gatewayAutoscaler(scaled, scaled.autoscaling as never).spec).toMatchObject({
      minReplicas: 2,
      maxReplicas: 6,
    });
  });

  it.each([
    [
      "a drain longer than the grace period",
      { drainSeconds: 60, terminationGraceSeconds: 30 },
      ["drainSeconds"],
    ],
    ["replicas beside autoscaling", { replicas: 2, autoscaling: { maximum: 3 } }, ["replicas"]],
    ["a maximum below the minimum", { autoscaling: { minimum: 3, maximum: 2 } }, ["autoscaling.maximum"]],
    [
      "what has no meaning on an existing gateway",
      { existing: { namespace: "istio-ingress", selector: {} }, replicas: 2, loadBalancer: {} },
      ["existing.selector", "loadBalancer", "replicas"],
    ],
  ])("refuses %s", (_what, args, paths) => {
    expect(faults({ domain: "dev.example.com", ...args }).map((line) => line.split(": ")[0])).toEqual(paths);
  });
});

describe("load balancer", () => {
  it("keeps client addresses, and limits them when asked", () => {
    const dual = plan({ loadBalancer: { ipFamilies: ["IPv4", "IPv6"] }, dnsName: "ssh.example.com" });
    const open = gatewayLoadBalancer(plan()).spec as Record<string, unknown>;
    const limited = gatewayLoadBalancer(plan({ loadBalancer: { sourceRanges: ["10.0.0.0/8"] } })).spec;
    expect(open.externalTrafficPolicy).toBe("Local");
    expect(Object.keys(open)).toEqual(["type", "selector", "externalTrafficPolicy", "ports"]);
    expect(limited).toMatchObject({ loadBalancerSourceRanges: ["10.0.0.0/8"] });
    expect(gatewayLoadBalancer(dual).spec).toMatchObject({
      ipFamilies: ["IPv4", "IPv6"],
      ipFamilyPolicy: "RequireDualStack",
    });
    expect(gatewayLoadBalancer(dual).metadata.annotations).toEqual({
      "external-dns.alpha.kubernetes.io/hostname": "ssh.example.com",
    });
  });

  it.each([
    ["aws-nlb", "internal", "service.beta.kubernetes.io/aws-load-balancer-scheme", "internal"],
    ["aws-nlb", "public", "service.beta.kubernetes.io/aws-load-balancer-scheme", "internet-facing"],
    ["gke", "internal", "networking.gke.io/load-balancer-type", "Internal"],
    ["aks", "internal", "service.beta.kubernetes.io/azure-load-balancer-internal", "true"],
  ] as const)("%s %s", (preset, scope, annotation, value) => {
    expect(presetAnnotations(preset, scope, [80])[annotation]).toBe(value);
  });

  it("adds nothing for a public GKE one or where presets have no meaning", () => {
    expect(presetAnnotations("gke", "public", [80])).toEqual({});
    expect(presetAnnotations("generic", "internal", [80])).toEqual({});
    expect(presetAnnotations("metallb", "internal", [80])).toEqual({});
  });

  it("lets the caller's annotations win", () => {
    const annotations = { "networking.gke.io/load-balancer-type": "Custom" };
    expect(
      gatewayLoadBalancer(plan({ loadBalancer: { preset: "gke", annotations } })).metadata.annotations,
    ).toEqual(annotations);
  });
});

describe("admission policy", () => {
  it("names the gateway, and asks for own hosts, own destinations and SSH routes only", () => {
    const spec = routeAdmissionPolicy(plan()).spec as {
      matchConditions: { expression: string }[];
      validations: { expression: string }[];
    };
    expect(spec.matchConditions.map((condition) => condition.expression)).toEqual([
      "object.spec.?gateways.orValue([]).exists(name, name == 'ssh/ssh' || (name == 'ssh' && object.metadata.namespace == 'ssh'))",
    ]);
    expect(spec.validations).toHaveLength(3);
    expect(spec.validations[0]?.expression).toContain("'.' + object.metadata.namespace + '.dev.example.com'");
  });
});
