/** What a verdict says of access, sessions, data, pods and money, in the words of the arguments' own rows. */
import { Effect } from "@drawbridge-iac/drawbridge/src/kit/arg";

const states: readonly string[] = ["unchanged", "harmless", "restarts", "gains", "loses", "costs"];
const lost: readonly string[] = ["volume-lost", "volume-left-behind", "host-key-lost"];
const cut: readonly string[] = ["ssh-listener-changed", "load-balancer-replaced"];
/** Rules that are about neither data, sessions nor access. Every rule that is in none of these lists is about access. */
const others: readonly string[] = ["volume-shrunk"];

/** The rules by which the guard stops an edit. */
export const rulesOf = (verdict: string): string[] =>
  verdict.split(" ").filter((token) => token !== "" && !states.includes(token));

export function effectsOf(verdict: string): Effect[] {
  const tokens = verdict.split(" ");
  const rules = rulesOf(verdict);
  const crosses = rules.some((rule) => ![...lost, ...cut, ...others].includes(rule));
  const found: Readonly<Record<Effect, boolean>> = {
    restart: tokens.includes("restarts"),
    sessions: rules.some((rule) => cut.includes(rule)),
    data: rules.some((rule) => lost.includes(rule)),
    opens: tokens.includes("gains") || crosses,
    closes: tokens.includes("loses"),
    cost: tokens.includes("costs"),
  };
  return Object.values(Effect).filter((effect) => found[effect]);
}

/** The verdict that follows from the effects in an argument's row; undefined where these are not enough. */
export function verdictOf(effects: readonly Effect[]): string | undefined {
  if (effects.includes("sessions") || effects.includes("data")) return undefined;
  const has = (effect: Effect, word: string) => (effects.includes(effect) ? [word] : []);
  const pods = effects.includes("restart") ? "restarts" : "harmless";
  return [pods, ...has("opens", "gains"), ...has("closes", "loses"), ...has("cost", "costs")].join(" ");
}
