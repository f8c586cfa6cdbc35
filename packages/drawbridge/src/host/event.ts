/** The one line that an authorizer (packages/controllers) writes for each decision, and the command reads. Never a token. */
export type AuthorizerEvent = {
  /** `<namespace>/<name>`, once that is proven: who only says so stands in `what`. */
  readonly container?: string;
  /** Where it was asked from; missing where nobody says. */
  readonly address?: string;
  readonly way: "egress" | "frp";
  /** What was asked for, such as `CONNECT crates.io:443`. */
  readonly what: string;
  readonly outcome: "allowed" | "refused";
  /** Why it was refused, with what to do. */
  readonly reason?: string;
  /** The address that is dialled. */
  readonly destination?: string;
};
