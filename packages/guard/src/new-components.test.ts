/** Every argument of every component, each on one that is new: what is refused of it is a list that people read. */
import { expect, it } from "vitest";
import { everyArgument } from "../../../test/support/engine/every-argument.ts";
import { parseBounds } from "./bounds.ts";
import { judge } from "./guard.ts";
import { edited, today, whole } from "./sample.fixture.ts";

// Everywhere are the team's own Secrets and claims.
const bounds = parseBounds({ namespaces: ["team-a", "team-b", "other"] }, "bounds");

it("is daily work, but for these", () => {
  const found = everyArgument().flatMap(({ kind, name, args }) => {
    const { refused, unjudged } = judge(whole(edited(kind, name, undefined, args)), [], today, bounds);
    return [...refused, ...unjudged].map(({ rule, text }) => `${kind} ${rule}: ${text.replace(name, "it")}`);
  });
  const authority = (key: string) =>
    `foreign-ca: everyone with a certificate of the key ${key} gains access to it`;
  const alices = 'SHA256:hWiiFCdFrWMlecdWRDRKs1WCY90fN1/6wqemuALhdmA ("alice")';
  const bobs = 'SHA256:/O8VbLGTht882NcgDU7x1n/5SDF+k1JkYPeNBZ4W3pg ("bob")';
  const peer = (labels: string, namespace: string, ports: string) =>
    `DevContainer network-wall: ingress has {"namespace":"${namespace}","podLabels":{"app":"${labels}"},"ports":[${ports}]} too`;
  const account = (name: string, namespace: string) =>
    `Team cluster-rights: deployers.serviceAccounts has {"name":"${name}","namespace":"${namespace}"} too: the account belongs to another namespace`;
  const frps = (kind: string) =>
    ["external", "server"].flatMap((which) =>
      ["frps.example.com", "other.example.com"].map(
        (server) =>
          `${kind} route-wall: access.frp.${which}.serverAddr: ssh connections come from the frps at ${server}`,
      ),
    );
  const identity = (kind: string, name: string) =>
    `${kind} secret-taken: hostKey.identity is old/${name}, which no host of team-a leaves in this preview, and which is not below team-a/it/`;
  expect([...new Set(found)].sort()).toEqual([
    "DevContainer cluster-rights: serviceAccount.annotations has eks.amazonaws.com/role-arn: arn:aws:iam::1:role/team-a too",
    `DevContainer ${authority(bobs)}`,
    `DevContainer ${authority(alices)}`,
    "DevContainer network-wall: egress.allow opens the private network 10.0.0.0/8 at TCP 444",
    "DevContainer network-wall: egress.allow opens the private network 10.1.0.0/16 at TCP 443",
    "DevContainer network-wall: egress.dns opens the private network 10.0.0.53/32 at TCP 53",
    peer("a", "other", "8080"),
    peer("a", "web", "8080,9090"),
    peer("b", "web", "8080"),
    "DevContainer pod-privileges: containersInside: false → true",
    "DevContainer pod-privileges: its podAffinity.requiredDuringSchedulingIgnoredDuringExecution is about pods of other namespaces",
    "DevContainer pod-privileges: pod.annotations has example.com/app: b too",
    "DevContainer pod-privileges: pod.annotations has example.com/team: a too",
    "DevContainer pod-privileges: root: false → true",
    "DevContainer pod-privileges: serviceAccount.token: false → true",
    ...frps("DevContainer"),
    identity("DevContainer", "name"),
    'DevContainer unknown-field: pod.volumes has {"name":"driver","csi":{"driver":"csi.example.com","readOnly":true}} too: what this driver gives is not known',
    'DevContainer volume-borrowed: patches.home has spec: {"volumeName":"somebody-elses"} too',
    `InjectedSshd ${authority(bobs)}`,
    `InjectedSshd ${authority(alices)}`,
    "InjectedSshd network-wall: networkPolicy: none → only-gateway",
    ...frps("InjectedSshd"),
    identity("InjectedSshd", "injected"),
    "SshRoute network-wall: networkPolicy: none → only-gateway",
    ...frps("SshRoute"),
    "StorageAccessor pod-privileges: pod.annotations has example.com/app: b too",
    "StorageAccessor pod-privileges: pod.annotations has example.com/team: a too",
    account("ci", "other"),
    account("other", "build"),
    "Team network-wall: allowedPrivateNetworks opens the private network 10.7.0.0/16 at every port",
    "Team route-wall: outsideHosts opens 10.20.0.6/32 at TCP 2022",
    "TeamMembers cluster-rights: namespace: its people look into it, and into its pods where they may",
  ]);
});
