/** Images of pods whose rights all share: the gateway's, frps', the culler's. */
import { areStopped, dev, type Hiding } from "./attacks.fixture.ts";
import { parseBounds } from "./bounds.ts";
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
const gw = between("SshGateway", "gw", {
  domain: "dev.example.com",
  loadBalancer,
});
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
const stops = (hiding: readonly Change[], twin: readonly Change[], says: string): Hiding => ({
  hiding: [...here, ...hiding],
  ends: [1, "cluster-rights", says],
  twin: [...here, ...twin],
});
const unknownPlace = "is neither the library's nor from where";

areStopped({
  "a gateway's image": stops(
    gw({}, { image: evil }),
    gw({}, { image: "auto" }),
    `${evil} of its pods ${unknownPlace}`,
  ),
  "a new gateway's": stops(gw(undefined, { image: evil }), gw(undefined, {}), unknownPlace),
  "another repository at the same registry": stops(
    frp({}, authorizer("registry.example.com/platform/other:1")),
    frp({}, authorizer(`${programs}:2`)),
    unknownPlace,
  ),
  "a registry that begins alike": stops(
    frp({}, authorizer("registry.example.com.evil.example/platform/programs:2")),
    frp({}, authorizer(`${programs}${digest}`)),
    unknownPlace,
  ),
  "another port of the registry": stops(
    frp({}, authorizer("registry.example.com:5000/platform/programs:2")),
    frp({}, authorizer(`${programs}:2${digest}`)),
    unknownPlace,
  ),
  "frps' image": stops(
    frp({}, { image: "evil/frps:v0.71.0" }),
    frp({}, { image: "fatedier/frps:v0.71.0" }),
    unknownPlace,
  ),
  "culler and activator": stops(
    gw(idle(`${programs}:1`), idle(evil)),
    gw(idle(`${programs}:1`), idle("ghcr.io/drawbridge-iac/drawbridge/programs:0.1.0")),
    unknownPlace,
  ),
  "culler and activator of another version than the library's": stops(
    gw(idle(`${programs}:1`), idle("ghcr.io/drawbridge-iac/drawbridge/programs:0.0.1")),
    gw(idle(`${programs}:1`), idle(`${programs}:2`)),
    unknownPlace,
  ),
  "a storage proxy's": stops(
    files({}, { image: evil }),
    files({}, { image: "docker.io/envoyproxy/envoy:distroless-v1.40.1" }),
    unknownPlace,
  ),
  "all images by the stack's registry": stops(
    frp(library(), library("evil.example.com")),
    frp(library("registry.example.com/hub"), library("registry.example.com/hub")),
    "evil.example.com/frps:v0.70.1 of its pods",
  ),
  "a new server with the stack's registry": stops(
    frp(undefined, {
      ...authorizer("ghcr.io/drawbridge-iac/drawbridge/programs:0.1.0"),
      ...library("evil.example.com"),
    }),
    frp(undefined, authorizer("ghcr.io/drawbridge-iac/drawbridge/programs:0.1.0")),
    "evil.example.com/frps:v0.70.1 of its pods",
  ),
});

areStopped({
  "an image that is known later": {
    hiding: [...here, ...frp({}, authorizer(unknownText))],
    ends: [2, "unknown-value", "an image of its pods is not known"],
    twin: [...here, ...frp({}, authorizer(`${programs}:2`))],
  },
});

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
  {
    "a default image, where registries are named": stops(
      files(undefined, {}),
      files(undefined, { image: "registry.example.com/envoy:1" }),
      "docker.io/envoyproxy/envoy:distroless-v1.40.0 of its pods is from none of the platform's registries",
    ),
    "another host": stops(
      frp({}, authorizer("registry.example.com.evil.example/programs:1")),
      frp({}, authorizer("registry.example.com/other/programs:1")),
      "is from none of the platform's registries",
    ),
    "another path": stops(
      frp({}, authorizer(`pinned.example.com/platform2/programs${digest}`)),
      frp({}, authorizer(`pinned.example.com/platform/programs${digest}`)),
      "is from none of the platform's registries",
    ),
    "a tag where a digest is asked for": stops(
      frp({}, authorizer("pinned.example.com/platform/programs:2")),
      frp({}, authorizer(`pinned.example.com/platform/programs:2${digest}`)),
      "has to be named by its digest",
    ),
    "Docker's own, which its short name hides": stops(
      frp({}, { image: "frps:v0.71.0" }),
      frp({}, { image: "fatedier/frps:v0.71.0" }),
      "is from none of the platform's registries",
    ),
    "the stack's registry": stops(
      frp(library(), library("evil.example.com")),
      frp(library(), library("registry.example.com/hub")),
      "evil.example.com/frps:v0.70.1",
    ),
  },
  bounds,
);
