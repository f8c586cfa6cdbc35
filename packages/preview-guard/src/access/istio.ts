/** Istio's Gateways and AuthorizationPolicies. */
import { at } from "../finding.ts";
import { type Inputs, isChanged, isOf, listAt, type ObjectPair } from "../objects.ts";
import { crosses, type Effect, exactly, gains, loses, setEffects, unknown } from "./effect.ts";
import { hiddenPaths } from "./placeholder.ts";

interface Server {
  readonly port: string;
  readonly hosts: readonly string[];
  readonly mode: string;
}

function servers(inputs: Inputs | undefined): Server[] {
  return listAt(inputs, "spec", "servers").map((server) => ({
    port: String(at(server, "port", "number")),
    hosts: listAt(server, "hosts").map(String),
    mode: String(at(server, "tls", "mode") ?? "no TLS"),
  }));
}

export function gatewayEffects(pair: ObjectPair): Effect[] {
  const { before, after } = pair;
  const isOurs = isOf(pair, "SshGateway", "StorageProxy", "FrpServer");
  if (after === undefined) return [loses("the listeners are gone")];
  const [was, is] = [servers(before), servers(after)];
  const isMutual = was.length > 0 && was.every(({ mode }) => mode === "MUTUAL");
  const open = is.filter(({ mode }) => mode !== "MUTUAL");
  const dropped =
    isMutual && open.length > 0
      ? [
          crosses(
            "certificate-dropped",
            `port ${open.map(({ port }) => port).join(", ")} would ask for no client certificate`,
          ),
        ]
      : [];
  const names = (all: readonly Server[]) =>
    all.flatMap(({ port, hosts }) => hosts.map((host) => `${host} at ${port}`));
  return [
    ...dropped,
    ...setEffects(
      names(was),
      names(is),
      (name) => {
        const text = `it listens for ${name}`;
        const isFine = isOurs && (before === undefined || !name.startsWith("*/* "));
        return isFine ? gains(text) : crosses("gateway-opened", text);
      },
      (name) => loses(`it no longer listens for ${name}`),
    ),
    ...(before !== undefined &&
    JSON.stringify(at(before, "spec", "selector")) !== JSON.stringify(at(after, "spec", "selector"))
      ? [crosses("gateway-opened", "other pods would take its listeners")]
      : []),
  ];
}

function principals(inputs: Inputs | undefined): string[] {
  return listAt(inputs, "spec", "rules").flatMap((rule) => {
    const from = listAt(rule, "from");
    return from.length === 0
      ? ["everybody"]
      : from.flatMap((one) => {
          const names = listAt(one, "source", "principals").map(String);
          return names.length === 0 ? ["everybody"] : names;
        });
  });
}

/** AuthorizationPolicies of a gateway. They protect all teams, so every widening is refused. */
export function authorizationEffects(pair: ObjectPair): Effect[] {
  const { before, after } = pair;
  if (after === undefined) return [crosses("wall-removed", "everybody may use what it kept to some")];
  if (before === undefined) return [gains(`only ${principals(after).join(", ")} may use it`)];
  const more = setEffects(
    principals(before),
    principals(after),
    (name) => crosses("gateway-opened", `${name} may use it`),
    (name) => loses(`${name} may no longer use it`),
  );
  const rest = (inputs: Inputs) => JSON.stringify({ ...(inputs.spec as Inputs), rules: undefined });
  const isOther =
    rest(before) !== rest(after) ||
    (more.length === 0 && isChanged(pair) && JSON.stringify(before.spec) !== JSON.stringify(after.spec));
  return isOther
    ? [
        ...more,
        crosses("wall-removed", exactly("it would decide otherwise; read its difference", after.spec)),
      ]
    : more;
}

/** Who signs the clients' certificates: from the component's own arguments, since the CA stands in a Secret. */
export function clientCaEffects({ name, before, after }: ObjectPair): Effect[] {
  const ca = (inputs: Inputs | undefined) => at(inputs, "listeners", "tls", "clientCa");
  const [was, is] = [ca(before), ca(after)];
  if (after === undefined || was === undefined || is === undefined || was === is) return [];
  if (hiddenPaths(is, "listeners.tls.clientCa").length > 0)
    return [unknown("unknown-value", `who signs the client certificates of ${name} is not shown`)];
  return [
    crosses("foreign-ca", exactly(`another authority would sign the client certificates of ${name}`, is)),
  ];
}
