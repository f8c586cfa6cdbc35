/** What a storage's objects are made of besides its arguments. */
import { slowMark } from "../kit/crypto.ts";
import { type Resolve, secretValues } from "../kit/resolve.ts";
import { accessRules } from "./dufs.ts";
import type { StorageSecrets } from "./objects.ts";
import type { StoragePlan } from "./plan.ts";
import { tokenCheckConfig } from "./token-check-config.ts";

export function storageSecrets(plan: StoragePlan, resolve: Resolve): StorageSecrets {
  const { path, fileServer } = plan;
  const credentials = fileServer?.credentials ?? [];
  const users = credentials.map(({ user, write }) => ({ user, write }));
  const passwords = credentials.map(({ password }) => password);
  const variables = plan.prepare?.secretEnv ?? {};
  return {
    rules: resolve.secret({ users, passwords }, (known) => accessRules(known.users, known.passwords)),
    rulesMark: resolve.mark({ users, passwords, path }, (known) =>
      slowMark(known.path, accessRules(known.users, known.passwords)),
    ),
    tokenCheck: tokenCheck(plan, resolve),
    prepareEnv: Object.keys(variables).length === 0 ? undefined : secretValues(variables, resolve),
  };
}

function tokenCheck(plan: StoragePlan, { plain }: Resolve) {
  const { fileServer, path } = plan;
  if (fileServer?.jwt === undefined) return undefined;
  const { issuer, audiences, jwks, claim, values } = fileServer.jwt;
  const check = { issuer, audiences, jwks, claim, values };
  return plain({ check, path }, (known) =>
    JSON.stringify(tokenCheckConfig({ ...plan, path: known.path }, fileServer, known.check)),
  );
}
