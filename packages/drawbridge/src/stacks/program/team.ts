import * as pulumi from "@pulumi/pulumi";
import { DevContainer } from "../../dev-container/component.ts";
import type { DevContainerArgs } from "../../generated/dev-container.ts";
import type { SshRouteArgs } from "../../generated/ssh-route.ts";
import type { StorageAccessorArgs } from "../../generated/storage-accessor.ts";
import { SshRoute } from "../../ssh-route/component.ts";
import { StorageAccessor } from "../../storage-accessor/component.ts";
import { withStorages } from "../complete.ts";
import type { TeamStack } from "../read-team.ts";
import { clusterProvider, ownTeam } from "./teams.ts";

/** One team: its namespace, its storages, its containers, its routes to what runs already. */
export function team(config: TeamStack): Record<string, unknown> {
  const provider = clusterProvider();
  const opts = { provider, dependsOn: ownTeam(config, { provider }) };
  const storages = Object.entries(config.storages).map(
    ([name, args]) =>
      [name, new StorageAccessor(name, args as unknown as StorageAccessorArgs, opts)] as const,
  );
  const references = new Map<string, unknown>();
  for (const [name, storage] of storages) references.set(name, storage.ref);
  const containers = Object.entries(config.containers).map(([name, args]) => {
    const complete = withStorages(args, references) as unknown as DevContainerArgs;
    return [name, new DevContainer(name, complete, opts)] as const;
  });
  const routes = Object.entries(config.routes).map(
    ([name, args]) => [name, new SshRoute(name, args as unknown as SshRouteArgs, opts)] as const,
  );
  const hosts = [...containers, ...routes];
  const text = (field: "sshConfig" | "knownHosts", between: string) =>
    pulumi
      .all(hosts.map(([, host]) => host[field]))
      .apply((parts) => parts.filter((part) => part !== undefined).join(between));
  return {
    containers: Object.fromEntries(containers.map(([name, one]) => [name, containerOutputs(one)])),
    storages: Object.fromEntries(
      storages.map(([name, { url, status, storageTarget }]) => [name, { url, status, storageTarget }]),
    ),
    routes: Object.fromEntries(routes.map(([name, one]) => [name, routeOutputs(one)])),
    sshConfig: text("sshConfig", "\n"),
    knownHosts: text("knownHosts", ""),
  };
}

function containerOutputs(container: DevContainer) {
  const { hostName, podName, sshCommand, frpCommand, sshConfig, knownHosts, sshTarget, url, status } =
    container;
  return { hostName, podName, sshCommand, frpCommand, sshConfig, knownHosts, sshTarget, url, status };
}

function routeOutputs({ hostName, sshCommand, sshConfig, knownHosts, sshTarget, status }: SshRoute) {
  return { hostName, sshCommand, sshConfig, knownHosts, sshTarget, status };
}
