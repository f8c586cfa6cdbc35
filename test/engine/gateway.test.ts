/** A gateway with everything switched on, previewed where no cluster can be reached. */
import { SshGateway } from "@drawbridge-iac/drawbridge";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readPreview } from "../../packages/preview-guard/src/index.ts";
import { noCluster, testStack } from "../support/engine/engine.ts";
import { previewJson } from "../support/engine/guard.ts";

let opened: Awaited<ReturnType<typeof testStack>>;

beforeAll(async () => {
  opened = await testStack(
    async () => {
      const caBundle = "-----BEGIN CERTIFICATE-----\nserver\n-----END CERTIFICATE-----\n";
      new SshGateway("ssh", {
        domain: "dev.example.com",
        dnsName: "ssh.dev.example.com",
        listeners: {
          tls: {
            certificate: { issuerCaSecretName: "corp-ca", caBundle },
            clientCa: "-----BEGIN CERTIFICATE-----\nclients\n-----END CERTIFICATE-----\n",
          },
        },
        allowIdentities: ["spiffe://example.com/user/alice"],
        autoscaling: { maxReplicas: 5 },
        loadBalancer: { preset: "aws-nlb", sourceRanges: ["10.0.0.0/8"], ipFamilies: ["IPv4", "IPv6"] },
      });
    },
    { env: noCluster },
  );
});
afterAll(() => opened.removeState());

/** The policies, by what their names end in. */
const policies = [
  "",
  "-gateway-api",
  "-gateways",
  "-service-entries",
  "-team-addresses",
  "-team-destination-rules",
  "-team-egress",
  "-team-namespace",
  "-team-platform",
  "-team-pods",
  "-team-replicas",
  "-team-routes",
  "-team-service-entries",
  "-team-services",
];

it("is all there, and needs nobody's answer", async () => {
  const changes = readPreview(await previewJson(opened.stack));
  const created = changes
    .map(({ op, urn }) => {
      const [, , types = "", name] = urn.split("::");
      return `${op} ${types.split("$").at(-1)} ${name}`;
    })
    // The stack itself and its provider.
    .filter((change) => !change.startsWith("create pulumi:"));
  expect(created.sort()).toEqual(
    [
      "drawbridge:index:SshGateway ssh",
      ...policies.flatMap((policy) => [
        `kubernetes:admissionregistration.k8s.io/v1:ValidatingAdmissionPolicy ssh-admission${policy}`,
        `kubernetes:admissionregistration.k8s.io/v1:ValidatingAdmissionPolicyBinding ssh-admission${policy}-binding`,
      ]),
      "kubernetes:apps/v1:Deployment ssh-proxy",
      "kubernetes:autoscaling/v2:HorizontalPodAutoscaler ssh-autoscaler",
      "kubernetes:cert-manager.io/v1:Certificate ssh-certificate",
      "kubernetes:cert-manager.io/v1:Issuer ssh-issuer",
      "kubernetes:core/v1:Namespace ssh-namespace",
      "kubernetes:core/v1:Secret ssh-client-ca",
      "kubernetes:core/v1:Service ssh-load-balancer",
      "kubernetes:core/v1:ServiceAccount ssh-service-account",
      "kubernetes:networking.istio.io/v1:Gateway ssh-listeners",
      "kubernetes:networking.istio.io/v1alpha3:EnvoyFilter ssh-connect-filter",
      "kubernetes:networking.k8s.io/v1:NetworkPolicy ssh-egress",
      "kubernetes:policy/v1:PodDisruptionBudget ssh-disruption",
      "kubernetes:rbac.authorization.k8s.io/v1:Role ssh-certificate-reader",
      "kubernetes:rbac.authorization.k8s.io/v1:RoleBinding ssh-certificate-binding",
      "kubernetes:security.istio.io/v1:AuthorizationPolicy ssh-identities",
    ]
      .map((resource) => `create ${resource}`)
      .sort(),
  );
});
