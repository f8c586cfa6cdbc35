/** Images of pods whose rights all share: the gateway's, frps', the culler's. */
import { areStopped, dev, hidings } from "./attacks.fixture.ts";
import { noBounds, parseBounds } from "./bounds.ts";
import type { Change } from "./change.ts";
import { edited } from "./sample.fixture.ts";
import { unknownText } from "./values.ts";

type Args = Change["after"];
const digest = `@sha256:${"a".repeat(64)}`;
const programs = "registry.example.com/platform/programs";
const evil = "evil.example.com/image:1";
const loadBalancer = { preset: "gke", sourceRanges: ["10.0.0.0/8"] };
const library = (imageRegistry?: string) => ({ library: { version: "0.1.0", imageRegistry } });
const between = (kind: string, name: string, base: object) => (was: object | undefined, is: object) =>
  edited(kind, name, was && ({ ...base, ...was } as Args), { ...base, ...is });
const gw = between("SshGateway", "gw", { domain: "dev.example.com", loadBalancer });
const frp = between("FrpServer", "frp", {
  domain: "ssh.example.com",
  seed: "[secret]",
  authorizer: { image: `${programs}:1` },
  egress: { apiServer: [] },
  loadBalancer,
});
const files = between("StorageProxy", "files", {
  loadBalancer,
  dnsName: "files.example.com",
  tls: { secretName: "files-tls" },
});
const idle = (image: string) => ({ idle: { image }, egress: { apiServer: [{ cidr: "192.0.2.10/32" }] } });
const authorizer = (image: string) => ({ authorizer: { image } });

const here = dev({});
const unknownPlace = "is neither the library's nor from where";

areStopped(
  hidings`
  a gateway's image
    ${gw({}, { image: evil })}
    1 cluster-rights: ${evil} of its pods ${unknownPlace}
    ${gw({}, { image: "auto" })}
  a new gateway's
    ${gw(undefined, { image: evil })}
    1 cluster-rights: ${unknownPlace}
    ${gw(undefined, {})}
  another repository at the same registry
    ${frp({}, authorizer("registry.example.com/platform/other:1"))}
    1 cluster-rights: ${unknownPlace}
    ${frp({}, authorizer(`${programs}:2`))}
  a registry that begins alike
    ${frp({}, authorizer("registry.example.com.evil.example/platform/programs:2"))}
    1 cluster-rights: ${unknownPlace}
    ${frp({}, authorizer(`${programs}${digest}`))}
  another port of the registry
    ${frp({}, authorizer("registry.example.com:5000/platform/programs:2"))}
    1 cluster-rights: ${unknownPlace}
    ${frp({}, authorizer(`${programs}:2${digest}`))}
  frps' image
    ${frp({}, { image: "evil/frps:v0.71.0" })}
    1 cluster-rights: ${unknownPlace}
    ${frp({}, { image: "fatedier/frps:v0.71.0" })}
  culler and activator
    ${gw(idle(`${programs}:1`), idle(evil))}
    1 cluster-rights: ${unknownPlace}
    ${gw(idle(`${programs}:1`), idle("ghcr.io/drawbridge-iac/drawbridge/programs:0.1.0"))}
  culler and activator of another version than the library's
    ${gw(idle(`${programs}:1`), idle("ghcr.io/drawbridge-iac/drawbridge/programs:0.0.1"))}
    1 cluster-rights: ${unknownPlace}
    ${gw(idle(`${programs}:1`), idle(`${programs}:2`))}
  a storage proxy's
    ${files({}, { image: evil })}
    1 cluster-rights: ${unknownPlace}
    ${files({}, { image: "docker.io/envoyproxy/envoy:distroless-v1.40.1" })}
  all images by the stack's registry
    ${frp(library(), library("evil.example.com"))}
    1 cluster-rights: evil.example.com/frps:v0.70.1 of its pods
    ${frp(library("registry.example.com/hub"), library("registry.example.com/hub"))}
  a new server with the stack's registry
    ${frp(undefined, { ...authorizer("ghcr.io/drawbridge-iac/drawbridge/programs:0.1.0"), ...library("evil.example.com") })}
    1 cluster-rights: evil.example.com/frps:v0.70.1 of its pods
    ${frp(undefined, authorizer("ghcr.io/drawbridge-iac/drawbridge/programs:0.1.0"))}
`,
  noBounds,
  { beside: here },
);

areStopped(
  hidings`
  an image that is known later
    ${[...frp({}, authorizer(unknownText))]}
    2 unknown-value: an image of its pods is not known
    ${[...frp({}, authorizer(`${programs}:2`))]}
`,
  noBounds,
  { beside: here },
);

const bounds = parseBounds(
  {
    registries: [
      "registry.example.com",
      { name: "pinned.example.com/platform", digest: true },
      "docker.io/fatedier",
    ],
  },
  "bounds.yaml",
);
areStopped(
  hidings`
  a default image, where registries are named
    ${files(undefined, {})}
    1 cluster-rights: docker.io/envoyproxy/envoy:distroless-v1.40.0 of its pods is from none of the platform's registries
    ${files(undefined, { image: "registry.example.com/envoy:1" })}
  another host
    ${frp({}, authorizer("registry.example.com.evil.example/programs:1"))}
    1 cluster-rights: is from none of the platform's registries
    ${frp({}, authorizer("registry.example.com/other/programs:1"))}
  another path
    ${frp({}, authorizer(`pinned.example.com/platform2/programs${digest}`))}
    1 cluster-rights: is from none of the platform's registries
    ${frp({}, authorizer(`pinned.example.com/platform/programs${digest}`))}
  a tag where a digest is asked for
    ${frp({}, authorizer("pinned.example.com/platform/programs:2"))}
    1 cluster-rights: has to be named by its digest
    ${frp({}, authorizer(`pinned.example.com/platform/programs:2${digest}`))}
  Docker's own, which its short name hides
    ${frp({}, { image: "frps:v0.71.0" })}
    1 cluster-rights: is from none of the platform's registries
    ${frp({}, { image: "fatedier/frps:v0.71.0" })}
  the stack's registry
    ${frp(library(), library("evil.example.com"))}
    1 cluster-rights: evil.example.com/frps:v0.70.1
    ${frp(library(), library("registry.example.com/hub"))}
`,
  bounds,
  { beside: here },
);
