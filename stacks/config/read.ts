/** Reads a stack's file: every fault of it in one error, before anything is registered. */
import { InvalidArgsError } from "@drawbridge-iac/drawbridge";
import { ArgsError, type ArgsIssue, issuesOf } from "@drawbridge-iac/manifests";
import * as pulumi from "@pulumi/pulumi";
import { withDefaults } from "./merge.ts";
import {
  componentSchemas,
  type PlatformConfig,
  platformSchema,
  type TeamConfig,
  teamSchema,
} from "./schema.ts";

/** A platform stack's file. */
export interface PlatformStack extends PlatformConfig {
  readonly kind: "platform";
}

/** A team stack's file; its containers are complete arguments by now. */
export interface TeamStack extends TeamConfig {
  readonly kind: "team";
  readonly hostKeySeed: pulumi.Output<string>;
}

/** The configuration of the stack that runs, from its `Pulumi.<stack>.yaml`. */
export function readStackConfig(): PlatformStack | TeamStack {
  const config = new pulumi.Config("drawbridge");
  const platform = config.getObject<unknown>("platform");
  const team = config.getObject<unknown>("team");
  if ((platform === undefined) === (team === undefined)) {
    throw faulty([
      { path: "config", message: "needs exactly one of drawbridge:platform and drawbridge:team" },
    ]);
  }
  return platform !== undefined ? readPlatform(platform) : readTeam(team, config.getSecret("hostKeySeed"));
}

function readPlatform(raw: unknown): PlatformStack {
  const result = platformSchema.safeParse(raw, { reportInput: true });
  if (!result.success) throw faulty(below(["drawbridge:platform"], issuesOf(result.error)));
  return { ...result.data, kind: "platform" };
}

function readTeam(raw: unknown, hostKeySeed: pulumi.Output<string> | undefined): TeamStack {
  const issues: ArgsIssue[] = [];
  const result = teamSchema.safeParse(raw, { reportInput: true });
  if (!result.success) issues.push(...below(["drawbridge:team"], issuesOf(result.error)));
  const team = result.data ?? lenient(raw);
  const containers = completeContainers(team, hostKeySeed);
  for (const [name, args] of Object.entries(containers)) {
    const checked = componentSchemas.containers.safeParse(args, { reportInput: true });
    if (!checked.success)
      issues.push(...below(["drawbridge:team", "containers", name], issuesOf(checked.error)));
  }
  if (hostKeySeed === undefined) {
    issues.push({
      path: "drawbridge:hostKeySeed",
      message:
        'is missing; set it once: pulumi config set --secret drawbridge:hostKeySeed "$(openssl rand -base64 32)"',
    });
  }
  if (issues.length > 0 || hostKeySeed === undefined) throw faulty(issues);
  return { ...team, containers, kind: "team", hostKeySeed };
}

/** Each container with the team's defaults and what the team's file decides for all of them. */
function completeContainers(team: TeamConfig, seed: pulumi.Output<string> | undefined) {
  const shared = {
    namespace: team.namespace,
    ...(team.gateway === undefined ? {} : { gateway: team.gateway }),
    hostKey: { seed: seed ?? pulumi.secret("") },
  };
  return Object.fromEntries(
    Object.entries(team.containers).map(([name, own]) => [
      name,
      withDefaults(withDefaults(shared, team.containerDefaults), own),
    ]),
  );
}

/** What can still be looked at in a file with faults, so that its containers' faults come in the same error. */
function lenient(raw: unknown): TeamConfig {
  const given = (typeof raw === "object" && raw !== null ? raw : {}) as Record<string, unknown>;
  const map = (value: unknown) =>
    (typeof value === "object" && value !== null && !Array.isArray(value) ? value : {}) as Record<
      string,
      never
    >;
  return {
    namespace: typeof given.namespace === "string" ? given.namespace : "unknown",
    createNamespace: true,
    viewers: [],
    containerDefaults: map(given.containerDefaults),
    containers: Object.fromEntries(
      Object.entries(map(given.containers)).map(([name, own]) => [name, map(own)]),
    ),
  };
}

function below(prefix: readonly string[], issues: readonly ArgsIssue[]): ArgsIssue[] {
  return issues.map(({ path, message }) => ({
    path: [...prefix, ...(path === "" ? [] : [path])].join("."),
    message,
  }));
}

function faulty(issues: readonly ArgsIssue[]): InvalidArgsError {
  return new InvalidArgsError(new ArgsError("stack", pulumi.getStack(), issues));
}
