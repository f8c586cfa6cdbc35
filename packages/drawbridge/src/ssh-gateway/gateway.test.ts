import { describe, expect, it } from "vitest";
import { identityPolicy } from "../istio/listeners.ts";
import { cases } from "../kit/faults.fixture.ts";
import { presetAnnotations } from "../kubernetes/load-balancer.ts";
import { gatewayLoadBalancer } from "./network.ts";
import { faultsOf, planOf } from "./plan.fixture.ts";
import type { KnownSshGatewayPlan } from "./plan.ts";
import { gatewayEndpoints } from "./ref.ts";

/** The paths alone. */
const placesOf = (args: object) => faultsOf(args).map((line) => line.split(": ")[0]);

describe("gateway arguments", () => {
  it.each(cases`
    { domain: null } → domain: is missing
    { domain: "https://dev.example.com" } → domain: "https://dev.example.com" is not a domain name
    { listeners: {} } → listeners: has no listener, so no client can connect
    { listeners: { plain: { port: 70000 } } } → listeners.plain.port: 70000 is not a port
    { loadBalancer: { preset: "nlb" } } → loadBalancer.preset: "nlb" is not one of generic, aws-nlb, gke, aks, metallb
    { image: "istio/proxyv2:latest" } → image: "istio/proxyv2:latest" is neither "auto" nor a pinned image
    { domain: "x", replicas: 0, listeners: {}, namespace: "Team_A", replica: 2 }
      → : unknown key "replica"
      → domain: "x" is not a domain name
      → listeners: has no listener, so no client can connect
      → namespace: "Team_A" is not a DNS label
      → replicas: 0 is out of range
  `)("refuses %s", (_, args, faults) => {
    expect(faultsOf(args)).toEqual(faults);
  });
});

describe("TLS, and the life of the proxies", () => {
  const dnsNames = ["ssh.example.com", "ssh.dev.example.com", "ssh.example.com"];
  const tls = {
    certificate: { issuer: { name: "corp" }, dnsNames },
    clientCa: "-----BEGIN CERTIFICATE-----\n…",
  };

  it("takes the scheme away from the front of an identity alone", () => {
    const identities = ["spiffe://example.com/spiffe://bob", "https://example.com/spiffe://bob"];
    expect(identityPolicy({ ...planOf(), allowIdentities: identities }).spec).toMatchObject({
      rules: [{ from: [{ source: { principals: ["example.com/spiffe://bob", identities[1]] } }] }],
    });
  });

  it.each(cases`
    { listeners: { tls: { certificate: {} } } } → listeners.tls.certificate
    { listeners: { tls: { certificate: { secretName: a, issuer: { name: b } } } } } → listeners.tls.certificate
    { listeners: { tls: { certificate: { issuer: { name: b }, issuerCaSecretName: c } } } } → listeners.tls.certificate
    { listeners: { tls: { certificate: { secretName: a, dnsNames: [ssh.example.com] } } } }
      → listeners.tls.certificate.dnsNames
    { listeners: { tls: { certificate: { issuerCaSecretName: c, dnsNames: ["*.example.com", a b], caBundle: x } } } }
      → listeners.tls.certificate.caBundle
      → listeners.tls.certificate.dnsNames[1]
    { listeners: { plain: { port: 443 }, tls: ${tls} } } → listeners.tls.port
    { listeners: { tls: { certificate: { secretName: a } } }, allowIdentities: ["spiffe://a/b"] } → allowIdentities
    { listeners: { plain: {}, tls: ${tls} }, allowIdentities: ["spiffe://a/b"] } → listeners.plain
    { listeners: { tls: ${tls} }, dnsName: ssh.example.org } → dnsName
    { listeners: { tls: ${{ ...tls, clientCa: "x" }} } } → listeners.tls.clientCa
    { drainSeconds: 60, pod: { terminationGracePeriodSeconds: 30 } } → drainSeconds
    { replicas: 2, autoscaling: { maxReplicas: 3 } } → replicas
    { autoscaling: { minReplicas: 3, maxReplicas: 2 } } → autoscaling.maxReplicas
    { existing: { namespace: istio-ingress, selector: {} }, replicas: 2, loadBalancer: { preset: generic }, connectionLimits: {} }
      → connectionLimits
      → existing.selector
      → loadBalancer
      → replicas
  `)("refuses %s", (_, args, paths) => {
    expect(placesOf(args)).toEqual(paths);
  });
});

const balancer = (of: KnownSshGatewayPlan) =>
  gatewayLoadBalancer(of, of.loadBalancer ?? expect.fail("no LoadBalancer"));

describe("load balancer", () => {
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

describe("egress", () => {
  it("is somebody else's matter where the gateway is", () => {
    const existing = { namespace: "edge", selector: { istio: "edge" } };
    expect(faultsOf({ existing, egress: { dns: ["192.0.2.53/32"] } })).toEqual([
      "egress: has no effect with existing, because that gateway is managed elsewhere",
    ]);
  });

  it.each([
    ["0.0.0.0/0", "has addresses of 127.0.0.0/8 (loopback), which the gateway must not reach"],
    ["::/0", "has addresses of ::1/128 (loopback), which the gateway must not reach"],
    ["169.254.0.0/16", "has addresses of 169.254.0.0/16 (link-local), which the gateway must not reach"],
    ["169.254.169.254/32", "has addresses of 169.254.0.0/16 (link-local), which the gateway must not reach"],
    ["127.0.0.0/8", "has addresses of 127.0.0.0/8 (loopback), which the gateway must not reach"],
    ["128.0.0.0/1", "has addresses of 169.254.0.0/16 (link-local), which the gateway must not reach"],
    ["::ffff:0:0/96", "is not a network"],
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
