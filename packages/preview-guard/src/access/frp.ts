/** Which names may be taken through frp: by machines outside that the platform lists, and by a container's grant. */
import { at } from "../finding.ts";
import { type Inputs, listAt, mapAt, type ObjectPair } from "../objects.ts";
import { type Effect, gains, loses, setEffects, unknown } from "./effect.ts";
import { hiddenPaths } from "./placeholder.ts";

/** What the platform says of single containers, called `units` by earlier versions. */
const listed = (inputs: Inputs | undefined) => [...listAt(inputs, "containers"), ...listAt(inputs, "units")];

/** `team-b/dev1 may take dev.ssh.example.com`, of those that are not revoked. */
function namesOf(inputs: Inputs | undefined): string[] {
  return listed(inputs)
    .filter((unit) => at(unit, "revoked") !== true)
    .flatMap((unit) => {
      const who = `${at(unit, "namespace")}/${at(unit, "name")}`;
      return listAt(unit, "domains").map((domain) => `${who} may take ${domain}`);
    });
}

export function frpServerEffects({ name, before, after }: ObjectPair): Effect[] {
  if (after === undefined) return [];
  const hidden = hiddenPaths({ containers: after.containers }, "");
  if (hidden.length > 0)
    return [unknown("unknown-value", `who may take names of ${name} is not shown: ${hidden.join(", ")}`)];
  const tokens = (inputs: Inputs | undefined) =>
    listed(inputs).map(
      (unit) => `${at(unit, "namespace")}/${at(unit, "name")} by ${at(unit, "tokenSha256")}`,
    );
  const isListed = (token: string) =>
    tokens(before).some((known) => known.split(" by ")[0] === token.split(" by ")[0]);
  return [
    ...setEffects(namesOf(before), namesOf(after), gains, (text) =>
      loses(text.replace("may", "may no longer")),
    ),
    ...tokens(after)
      .filter((token) => isListed(token) && !tokens(before).includes(token))
      .map((token) => gains(`${token.split(" by ")[0]} shows another token to ${name}`)),
  ];
}

/** What a container's own grant says. */
export function grantEffects({ before, after, name }: ObjectPair): Effect[] {
  const grant = (inputs: Inputs | undefined) => {
    const { tokenSha256, clientDomain } = mapAt(inputs, "data");
    return tokenSha256 === undefined ? [] : [`${name} may take ${clientDomain ?? "its name"} through frp`];
  };
  return setEffects(grant(before), grant(after), gains, (text) =>
    loses(text.replace("may", "may no longer")),
  );
}
