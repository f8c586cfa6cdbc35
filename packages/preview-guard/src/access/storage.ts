/** Access to a storage's files: users with passwords, issuers of tokens. */
import { at } from "../finding.ts";
import { type Inputs, isOf, listAt, mapAt, type ObjectPair } from "../objects.ts";
import type { AccessContext } from "./context.ts";
import { crosses, type Effect, exactly, gains, loses, unknown } from "./effect.ts";
import { hiddenPaths } from "./placeholder.ts";

interface Credential {
  readonly user: string;
  readonly write: boolean;
}

function credentialsOf(inputs: Inputs | undefined): Credential[] {
  return listAt(inputs, "browse", "credentials").map((one) => ({
    user: String(at(one, "user")),
    write: at(one, "write") === true,
  }));
}

/** From the component's own arguments: the rules themselves are a secret. */
export function storageEffects(pair: ObjectPair): Effect[] {
  const { name, before, after } = pair;
  if (after === undefined) return [];
  const { credentials, ...rest } = mapAt(after, "browse");
  const users = listAt(after, "browse", "credentials").map((one) => ({
    ...mapAt(one),
    password: undefined,
  }));
  const hidden = hiddenPaths({ users, rest, browse: hiddenWhole(after) }, "browse");
  if (hidden.length > 0)
    return [unknown("unknown-value", `who may use the files of ${name} is not shown: ${hidden.join(", ")}`)];
  // A new storage has no files yet that its first writer could spoil; an older claim may have some.
  const isNew = before === undefined && at(after, "claimName") === undefined;
  const [was, is] = [credentialsOf(before), credentialsOf(after)];
  const writers = is.filter(({ user, write }) => write && !was.some((one) => one.user === user && one.write));
  const readers = is.filter(({ user, write }) => !write && !was.some((one) => one.user === user));
  const write = (text: string) => (isNew ? gains(text) : crosses("write-credential", text));
  return [
    ...writers.map(({ user }) => write(`${user} may write the files of ${name}`)),
    ...readers.map(({ user }) => gains(`${user} may read the files of ${name}`)),
    ...was
      .filter(({ user }) => !is.some((one) => one.user === user))
      .map(({ user }) => loses(`${user} no longer has a password for the files of ${name}`)),
    ...was
      .filter((one) => one.write && is.some(({ user, write }) => user === one.user && !write))
      .map(({ user }) => loses(`${user} may no longer write the files of ${name}`)),
    ...tokens(pair, write),
  ];
}

/** Arguments that are secret as a whole. */
function hiddenWhole(inputs: Inputs): unknown {
  const { browse } = inputs;
  return typeof browse === "string"
    ? browse
    : typeof at(browse, "credentials") === "string"
      ? at(browse, "credentials")
      : "";
}

function tokens({ name, before, after }: ObjectPair, write: (text: string) => Effect): Effect[] {
  const [was, is] = [at(before, "browse", "jwt"), at(after, "browse", "jwt")];
  if (is === undefined)
    return was === undefined ? [] : [loses(`no token opens the files of ${name} any more`)];
  const same = (field: string) => JSON.stringify(at(was, field)) === JSON.stringify(at(is, field));
  const who = `tokens of ${at(is, "issuer")}`;
  const foreign = (what: string) => crosses("foreign-ca", `${who} open the files of ${name}: ${what}`);
  const values = (jwt: unknown) => listAt(jwt, "values").map(String);
  return [
    ...(was === undefined && before !== undefined ? [foreign("tokens are new there")] : []),
    ...(before === undefined ? [gains(`${who} open the files of ${name} to ${values(is).join(", ")}`)] : []),
    ...(was !== undefined && !same("issuer") ? [foreign("another issuer")] : []),
    ...(was !== undefined && !same("jwks") ? [foreign(exactly("other keys sign them", at(is, "jwks")))] : []),
    ...(was !== undefined && !same("claim") ? [foreign(`the claim ${at(is, "claim")} decides`)] : []),
    ...(was !== undefined && listAt(was, "audiences").length > 0 && listAt(is, "audiences").length === 0
      ? [foreign("made for any audience")]
      : []),
    ...(was === undefined
      ? []
      : values(is)
          .filter((value) => !values(was).includes(value))
          .map((value) => gains(`${who} with ${value} open the files of ${name}`))),
    ...values(was)
      .filter((value) => !values(is).includes(value))
      .map((value) => loses(`${who} with ${value} no longer open the files of ${name}`)),
    ...(at(is, "write") === true && at(was, "write") !== true
      ? [write(`${who} may write the files of ${name}`)]
      : []),
  ];
}

/** A file server whose volume becomes writable, or whose passwords change, without a change of the arguments. */
export function fileServerEffects(pair: ObjectPair, { pairs }: AccessContext): Effect[] {
  if (!isOf(pair, "StorageAccessor") || pair.before === undefined || pair.after === undefined) return [];
  const writes = (inputs: Inputs | undefined) =>
    listAt(inputs, "spec", "template", "spec", "containers").filter((container) =>
      listAt(container, "volumeMounts").some(
        (mount) => at(mount, "name") === "storage" && at(mount, "readOnly") !== true,
      ),
    ).length;
  const areArgumentsShown = pairs.some(
    (one) =>
      one.type === "drawbridge:index:StorageAccessor" &&
      one.name === pair.component?.name &&
      one.after !== undefined,
  );
  const mark = (inputs: Inputs | undefined) =>
    at(inputs, "spec", "template", "metadata", "annotations", "drawbridge.dev/credentials");
  if (writes(pair.after) > writes(pair.before) && !areArgumentsShown)
    return [
      crosses(
        "write-credential",
        "its volume becomes writable, though the storage's arguments do not change",
      ),
    ];
  if (mark(pair.before) !== mark(pair.after) && !areArgumentsShown)
    return [
      unknown("unknown-value", "its passwords change, though the storage's arguments do not say whose"),
    ];
  return [];
}
