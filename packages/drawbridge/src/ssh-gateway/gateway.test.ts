import { describe, expect, it } from "vitest";
import { namespaceManifest } from "../istio/data-plane.ts";
import { identityPolicy, sshListeners } from "../istio/listeners.ts";
import { presetAnnotations } from "../kubernetes/load-balancer.ts";
import { certificateReaderRole, clientCaSecret, gatewayCertificate, gatewayIssuer } from "./certificate.ts";
import { gatewayAutoscaler, gatewayDeployment } from "./deployment.ts";
import { gatewayLoadBalancer, gatewayNetworkPolicy } from "./network.ts";
import { sshGatewayObjects } from "./objects.ts";
import { faultsOf, patchesOf, planOf } from "./plan.fixture.ts";
import type { KnownSshGatewayPlan, TlsPlan } from "./plan.ts";
import { gatewayEndpoints } from "./ref.ts";

/** The paths alone. */
const placesOf = (args: object) => faultsOf(args).map((line) => line.split(": ")[0]);

describe("gateway arguments", () => {
  it("fills in every default", () => {
    expect(planOf()).toEqual(
      expect.objectContaining({
        name: "ssh",
        namespace: "ssh",
        replicas: 2,
        drainSeconds: 3600,
        terminationGracePeriodSeconds: 3630,
        listeners: [{ name: "plain", port: 80 }],
        loadBalancer: {
          preset: "generic",
          scope: "internal",
          annotations: {},
          sourceRanges: [],
          ipFamilies: [],
        },
      }),
    );
  });

  it.each<[string, object]>([
    ["domain: is missing", { domain: undefined }],
    ['domain: "https://dev.example.com" is not a domain name', { domain: "https://dev.example.com" }],
    ["listeners: has no listener, so no client can connect", { listeners: {} }],
    ["listeners.plain.port: 70000 is not a port", { listeners: { plain: { port: 70000 } } }],
    [
      'loadBalancer.preset: "nlb" is not one of generic, aws-nlb, gke, aks, metallb',
      { loadBalancer: { preset: "nlb" } },
    ],
    ['image: "istio/proxyv2:latest" is neither "auto" nor a pinned image', { image: "istio/proxyv2:latest" }],
  ])("refuses %s", (expected, args) => {
    expect(faultsOf(args)).toEqual([expected]);
  });

  it("reports all faults at once, sorted by path, with the unknown key and the known ones", () => {
    expect(faultsOf({ domain: "x", replicas: 0, listeners: {}, namespace: "Team_A", replica: 2 })).toEqual([
      ': unknown key "replica"',
      'domain: "x" is not a domain name',
      "listeners: has no listener, so no client can connect",
      'namespace: "Team_A" is not a DNS label',
      "replicas: 0 is out of range",
    ]);
  });
});

describe("gateway manifests", () => {
  it("enforces Pod Security restricted on its namespace", () => {
    expect(namespaceManifest(planOf()).metadata.labels).toMatchObject({
      "pod-security.kubernetes.io/enforce": "restricted",
    });
  });

  it("patches each thing once for its whole life, and routes only on somebody else's gateway", () => {
    const existing = { namespace: "istio-ingress", selector: { istio: "ingress" } };
    // Three HTTP filters that limit clients are added, three of Istio's that nothing here uses are removed.
    const lean = [...Array(6).fill("HTTP_FILTER"), "NETWORK_FILTER", "NETWORK_FILTER"];
    const always = ["HTTP_ROUTE", "LISTENER", "CLUSTER"];
    const patched = (args: object) => patchesOf(planOf(args)).map(({ applyTo }) => applyTo);
    expect(patched({})).toEqual([...always, "NETWORK_FILTER", "HTTP_FILTER", ...lean]);
    expect(patched({ audit: false, rejectEarlyConnectData: false })).toEqual([...always, ...lean]);
    expect(patched({ existing })).toEqual(["HTTP_ROUTE"]);
  });

  it("runs restricted and binds a low port by the pod's own sysctl", () => {
    const proxy = gatewayDeployment(planOf());
    expect(proxy).toHaveProperty("spec.template.spec.securityContext", {
      runAsNonRoot: true,
      runAsUser: 1337,
      runAsGroup: 1337,
      seccompProfile: { type: "RuntimeDefault" },
      sysctls: [{ name: "net.ipv4.ip_unprivileged_port_start", value: "80" }],
    });
    const securityContext = {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      readOnlyRootFilesystem: true,
    };
    expect(proxy).toHaveProperty("spec.template.spec.containers", [
      expect.objectContaining({ securityContext }),
    ]);
  });

  it("needs no sysctl for a high port", () => {
    const high = gatewayDeployment(planOf({ listeners: { plain: { port: 1024 } } }));
    expect(high).toHaveProperty("spec.template.spec.securityContext");
    expect(high).not.toHaveProperty("spec.template.spec.securityContext.sysctls");
  });

  it("gives the proxy a window whose last third comes after the drain, and the pod a little more", () => {
    const proxy = gatewayDeployment(planOf({ drainSeconds: 8 }));
    expect(proxy).toHaveProperty(
      ["spec", "template", "metadata", "annotations", "proxy.istio.io/config"],
      JSON.stringify({
        drainDuration: "12s",
        terminationDrainDuration: "8s",
        gatewayTopology: { forwardClientCertDetails: "SANITIZE_SET" },
      }),
    );
    expect(proxy).toHaveProperty("spec.template.spec.terminationGracePeriodSeconds", 38);
  });

  it("is never all evicted at once", () => {
    expect(sshGatewayObjects(planOf()).disruption?.manifest.spec).toMatchObject({ maxUnavailable: 1 });
  });
});

describe("TLS", () => {
  const dnsNames = ["ssh.example.com", "ssh.dev.example.com", "ssh.example.com"];
  const tls = {
    certificate: { issuer: { name: "corp" }, dnsNames },
    clientCa: "-----BEGIN CERTIFICATE-----\n…",
  };
  const mutual = planOf({ listeners: { tls }, dnsName: "ssh.dev.example.com" });
  const certificateOf = (of: KnownSshGatewayPlan) => {
    const planned = of.tls as TlsPlan;
    return gatewayCertificate(of, planned, planned.issuer as NonNullable<TlsPlan["issuer"]>);
  };

  it("serves a certificate for the domain and asks for a client's", () => {
    expect(sshListeners(mutual).spec.servers).toEqual([
      {
        port: { number: 443, name: "https-tls", protocol: "HTTPS" },
        hosts: ["*/*.dev.example.com", "*/*.svc.cluster.local"],
        tls: { mode: "MUTUAL", credentialName: "ssh-tls", minProtocolVersion: "TLSV1_2" },
      },
    ]);
    expect(certificateOf(mutual)).toEqual({
      apiVersion: "cert-manager.io/v1",
      kind: "Certificate",
      metadata: { name: "ssh-tls", namespace: "ssh", labels: mutual.labels },
      spec: {
        secretName: "ssh-tls",
        dnsNames: ["*.dev.example.com", "ssh.dev.example.com", "ssh.example.com"],
        issuerRef: { group: "cert-manager.io", kind: "ClusterIssuer", name: "corp" },
        privateKey: { algorithm: "ECDSA", size: 256, rotationPolicy: "Always" },
        usages: ["digital signature", "server auth"],
      },
    });
    expect(clientCaSecret(mutual, mutual.tls as TlsPlan, "pem")).toMatchObject({
      metadata: { name: "ssh-tls-cacert" },
      data: { "ca.crt": "cGVt" },
    });
    expect(certificateReaderRole(mutual).rules).toEqual([
      { apiGroups: [""], resources: ["secrets"], verbs: ["get", "watch", "list"] },
    ]);
  });

  it("has an issuer of its own sign with a CA's Secret", () => {
    const own = planOf({ listeners: { tls: { certificate: { issuerCaSecretName: "corp-ca" } } } });
    const issuer = own.tls?.issuer as NonNullable<TlsPlan["issuer"]>;
    expect(gatewayIssuer(own, issuer, "corp-ca")).toEqual({
      apiVersion: "cert-manager.io/v1",
      kind: "Issuer",
      metadata: { name: "ssh-ca", namespace: "ssh", labels: own.labels },
      spec: { ca: { secretName: "corp-ca" } },
    });
    expect(certificateOf(own).spec).toMatchObject({
      secretName: "ssh-tls",
      dnsNames: ["*.dev.example.com"],
      issuerRef: { group: "cert-manager.io", kind: "Issuer", name: "ssh-ca" },
    });
  });

  it("asks for no client certificate without a CA", () => {
    const simple = planOf({ listeners: { plain: {}, tls: { certificate: { secretName: "own" } } } });
    expect(sshListeners(simple).spec.servers.map((server) => server.tls)).toEqual([
      undefined,
      { mode: "SIMPLE", credentialName: "own", minProtocolVersion: "TLSV1_2" },
    ]);
  });

  it("takes the scheme away from the front of an identity alone", () => {
    const identities = ["spiffe://example.com/spiffe://bob", "https://example.com/spiffe://bob"];
    expect(identityPolicy({ ...planOf(), allowIdentities: identities }).spec).toMatchObject({
      rules: [{ from: [{ source: { principals: ["example.com/spiffe://bob", identities[1]] } }] }],
    });
  });

  it.each<[string, object, string[]]>([
    ["neither issuer nor Secret", {}, [""]],
    ["both issuer and Secret", { secretName: "a", issuer: { name: "b" } }, [""]],
    ["an issuer and a CA's Secret", { issuer: { name: "b" }, issuerCaSecretName: "c" }, [""]],
    ["names that are made elsewhere", { secretName: "a", dnsNames: ["ssh.example.com"] }, [".dnsNames"]],
    [
      "what is no name or no CA",
      { issuerCaSecretName: "c", dnsNames: ["*.example.com", "a b"], caBundle: "x" },
      [".caBundle", ".dnsNames[1]"],
    ],
  ])("refuses a certificate of %s", (_, certificate, paths) => {
    expect(placesOf({ listeners: { tls: { certificate } } })).toEqual(
      paths.map((path) => `listeners.tls.certificate${path}`),
    );
  });

  const allowIdentities = ["spiffe://a/b"];
  it.each<[string, object, string]>([
    ["one port twice", { listeners: { plain: { port: 443 }, tls } }, "listeners.tls.port"],
    [
      "identities without a CA",
      { listeners: { tls: { certificate: { secretName: "a" } } }, allowIdentities },
      "allowIdentities",
    ],
    [
      "identities beside a plain listener",
      { listeners: { plain: {}, tls }, allowIdentities },
      "listeners.plain",
    ],
    ["a DNS name outside the domain", { listeners: { tls }, dnsName: "ssh.example.org" }, "dnsName"],
    [
      "a CA that is no certificate",
      { listeners: { tls: { ...tls, clientCa: "x" } } },
      "listeners.tls.clientCa",
    ],
  ])("refuses %s", (_, args, path) => {
    expect(placesOf(args)).toEqual([path]);
  });
});

describe("life of the proxies", () => {
  it("scales slowly down, and leaves the number of replicas to the autoscaler", () => {
    const scaled = planOf({ autoscaling: { maxReplicas: 6 } });
    expect(gatewayDeployment(scaled)).not.toHaveProperty("spec.replicas");
    expect(gatewayAutoscaler(scaled, scaled.autoscaling as never).spec).toMatchObject({
      minReplicas: 2,
      maxReplicas: 6,
    });
  });

  it.each([
    [
      "a drain longer than the grace period",
      { drainSeconds: 60, terminationGracePeriodSeconds: 30 },
      ["drainSeconds"],
    ],
    ["replicas beside autoscaling", { replicas: 2, autoscaling: { maxReplicas: 3 } }, ["replicas"]],
    [
      "fewer at most than at least",
      { autoscaling: { minReplicas: 3, maxReplicas: 2 } },
      ["autoscaling.maxReplicas"],
    ],
    [
      "what has no meaning on an existing gateway",
      {
        existing: { namespace: "istio-ingress", selector: {} },
        replicas: 2,
        loadBalancer: { preset: "generic" },
        connectionLimits: {},
      },
      ["connectionLimits", "existing.selector", "loadBalancer", "replicas"],
    ],
  ])("refuses %s", (_what, args, paths) => {
    expect(placesOf(args)).toEqual(paths);
  });
});

const balancer = (of: KnownSshGatewayPlan) =>
  gatewayLoadBalancer(of, of.loadBalancer ?? expect.fail("no LoadBalancer"));

describe("load balancer", () => {
  it("keeps client addresses, and limits them when asked", () => {
    const dual = planOf({
      loadBalancer: { preset: "generic", ipFamilies: ["IPv4", "IPv6"] },
      dnsName: "ssh.example.com",
    });
    const limited = planOf({ loadBalancer: { preset: "generic", sourceRanges: ["10.0.0.0/8"] } });
    expect(balancer(planOf())).toEqual({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "ssh", namespace: "ssh", labels: dual.labels },
      spec: {
        type: "LoadBalancer",
        selector: dual.selector,
        externalTrafficPolicy: "Local",
        ports: [{ name: "tcp-plain", port: 80, targetPort: 80, protocol: "TCP" }],
      },
    });
    expect(balancer(limited).spec).toMatchObject({ loadBalancerSourceRanges: ["10.0.0.0/8"] });
    expect(balancer(dual).spec).toMatchObject({
      ipFamilies: ["IPv4", "IPv6"],
      ipFamilyPolicy: "RequireDualStack",
    });
    expect(balancer(dual).metadata.annotations).toEqual({
      "external-dns.alpha.kubernetes.io/hostname": "ssh.example.com",
    });
  });

  it.each([
    ["aws-nlb", "internal", "service.beta.kubernetes.io/aws-load-balancer-scheme", "internal"],
    ["aws-nlb", "public", "service.beta.kubernetes.io/aws-load-balancer-scheme", "internet-facing"],
    ["gke", "internal", "networking.gke.io/load-balancer-type", "Internal"],
    ["aks", "internal", "service.beta.kubernetes.io/azure-load-balancer-internal", "true"],
  ] as const)("%s %s", (preset, scope, annotation, value) => {
    expect(presetAnnotations({ preset, scope, ipFamilies: [] }, [80])[annotation]).toBe(value);
  });

  it.each([
    ["gke", "public"],
    ["generic", "internal"],
    ["metallb", "internal"],
  ] as const)("%s %s needs nothing", (preset, scope) => {
    expect(presetAnnotations({ preset, scope, ipFamilies: ["IPv4", "IPv6"] }, [80])).toEqual({});
  });

  it("tells an NLB of two families, and nothing of one", () => {
    const told = (...ipFamilies: ("IPv4" | "IPv6")[]) =>
      presetAnnotations({ preset: "aws-nlb", scope: "internal", ipFamilies }, [80, 443]);
    const common = {
      "service.beta.kubernetes.io/aws-load-balancer-type": "external",
      "service.beta.kubernetes.io/aws-load-balancer-nlb-target-type": "ip",
      "service.beta.kubernetes.io/aws-load-balancer-scheme": "internal",
      "service.beta.kubernetes.io/aws-load-balancer-target-group-attributes":
        "preserve_client_ip.enabled=true",
      "service.beta.kubernetes.io/aws-load-balancer-listener-attributes.TCP-80":
        "tcp.idle_timeout.seconds=6000",
      "service.beta.kubernetes.io/aws-load-balancer-listener-attributes.TCP-443":
        "tcp.idle_timeout.seconds=6000",
    };
    const dual = { "service.beta.kubernetes.io/aws-load-balancer-ip-address-type": "dualstack" };
    expect(told()).toEqual(common);
    expect(told("IPv4")).toEqual(common);
    expect(told("IPv4", "IPv6")).toEqual({ ...common, ...dual });
  });

  it("asks for one family alone, and refuses one that is named twice", () => {
    const { spec } = balancer(planOf({ loadBalancer: { preset: "generic", ipFamilies: ["IPv6"] } }));
    expect(spec).toMatchObject({ ipFamilies: ["IPv6"] });
    expect(spec).not.toHaveProperty("ipFamilyPolicy");
    expect(faultsOf({ loadBalancer: { preset: "generic", ipFamilies: ["IPv4", "IPv4"] } })).toEqual([
      'loadBalancer.ipFamilies: ["IPv4","IPv4"] names a family twice',
    ]);
  });

  it("has to be chosen by its kind: none is right on every cloud", () => {
    expect(faultsOf({ loadBalancer: undefined })).toEqual(["loadBalancer: is missing"]);
    expect(faultsOf({ loadBalancer: { scope: "internal" } })).toEqual(["loadBalancer.preset: is missing"]);
  });

  it("lets the caller's annotations win", () => {
    const annotations = { "networking.gke.io/load-balancer-type": "Custom" };
    expect(balancer(planOf({ loadBalancer: { preset: "gke", annotations } })).metadata.annotations).toEqual(
      annotations,
    );
  });
});

describe("a connection that a pod's port refuses", () => {
  const retried = (args: object) =>
    patchesOf(planOf(args)).filter(({ patch }) => JSON.stringify(patch.value ?? {}).includes("retry_policy"));

  it("goes to another address where containers sleep, since the activator's may be there too", () => {
    const egress = { apiServer: [{ cidr: "10.0.0.1/32" }] };
    expect(retried({ egress, idle: { image: "programs:1" } })).toMatchObject([
      {
        applyTo: "HTTP_ROUTE",
        patch: { value: { route: { retry_policy: { retry_on: "connect-failure", num_retries: 2 } } } },
      },
    ]);
    expect(retried({})).toEqual([]);
  });
});

describe("egress", () => {
  const block = (cidr: string) => ({ ipBlock: { cidr } });
  const tcp = (...ports: number[]) => ports.map((port) => ({ port, protocol: "TCP" }));
  const rulesOf = (egress: object) =>
    (gatewayNetworkPolicy(planOf({ egress })).spec as { egress: { to: object[] }[] }).egress;

  it("is to containers, istiod and DNS, and to what is declared", () => {
    const egress = { istiod: ["192.0.2.1/32"], dns: ["192.0.2.53/32"] };
    const inNamespace = (name: string, matchLabels: object) => ({
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": name } },
      podSelector: { matchLabels },
    });
    const everyPod = (podSelector: object) => ({ namespaceSelector: {}, podSelector });
    expect(gatewayNetworkPolicy(planOf({ egress })).spec).toEqual({
      podSelector: { matchLabels: planOf().selector },
      policyTypes: ["Egress"],
      egress: [
        {
          to: [
            everyPod({ matchLabels: { "app.kubernetes.io/component": "dev-container" } }),
            everyPod({ matchExpressions: [{ key: "drawbridge.dev/sshd", operator: "Exists" }] }),
          ],
        },
        { to: [inNamespace("istio-system", { app: "istiod" })], ports: tcp(15012) },
        { to: [block("192.0.2.1/32")], ports: tcp(15012, 443) },
        {
          to: [
            inNamespace("kube-system", { "k8s-app": "kube-dns" }),
            block("169.254.20.10/32"),
            block("192.0.2.53/32"),
          ],
          ports: [{ port: 53, protocol: "UDP" }, ...tcp(53)],
        },
      ],
    });
  });

  it("is somebody else's matter where the gateway is", () => {
    const existing = { namespace: "edge", selector: { istio: "edge" } };
    expect(faultsOf({ existing, egress: { dns: ["192.0.2.53/32"] } })).toEqual([
      "egress: has no effect with existing, because that gateway is managed elsewhere",
    ]);
  });

  it("is to every pod of the teams where the platform says so", () => {
    expect(rulesOf({ teamPods: true })[0]?.to.at(-1)).toEqual({
      namespaceSelector: { matchExpressions: [{ key: "drawbridge.dev/team", operator: "Exists" }] },
    });
  });

  it("is to hosts outside where the platform says so, at these ports alone", () => {
    const outsideHosts = [{ cidr: "10.20.0.5/32" }, { cidr: "fd12::/64", ports: [22, 2022] }];
    const none = rulesOf({});
    expect(rulesOf({ outsideHosts })).toEqual([
      none[0],
      { to: [block("10.20.0.5/32")], ports: tcp(22) },
      { to: [block("fd12::/64")], ports: tcp(22, 2022) },
      ...none.slice(1),
    ]);
  });

  it.each([
    ["0.0.0.0/0", "has addresses of 127.0.0.0/8 (loopback), which the gateway must not reach"],
    ["::/0", "has addresses of ::1/128 (loopback), which the gateway must not reach"],
    ["169.254.0.0/16", "has addresses of 169.254.0.0/16 (link-local), which the gateway must not reach"],
    ["169.254.169.254/32", "has addresses of 169.254.0.0/16 (link-local), which the gateway must not reach"],
    ["127.0.0.1/8", "has addresses of 127.0.0.0/8 (loopback), which the gateway must not reach"],
    ["128.0.0.0/1", "has addresses of 169.254.0.0/16 (link-local), which the gateway must not reach"],
    ["::ffff:0:0/96", "has addresses of ::ffff:0:0/96 (IPv4 in IPv6), which the gateway must not reach"],
    ["10.20.0.5", "is not a network"],
    ["10.0.0.0/33", "is not a network"],
    [":::/64", "is not a network"],
    ["vm1.example.com", "is not a network"],
  ])("is never to %s", (cidr, what) => {
    expect(faultsOf({ egress: { outsideHosts: [{ cidr }] } })).toEqual([
      `egress.outsideHosts[0].cidr: "${cidr}" ${what}`,
    ]);
  });
});

describe("endpoints", () => {
  const endpoints = (args: object, address: string) =>
    gatewayEndpoints(planOf(args).listeners as { name: "plain" | "tls"; port: number }[], false, address);

  it("are those of the listeners that there are", () => {
    const tls = { port: 8443, certificate: { secretName: "own" } };
    expect(endpoints({}, "ssh.example.com")).toEqual({ plain: "http://ssh.example.com:80" });
    expect(endpoints({ listeners: { plain: { port: 2222 }, tls } }, "2001:db8::7")).toEqual({
      plain: "http://[2001:db8::7]:2222",
      tls: "https://[2001:db8::7]:8443",
    });
  });
});
