/** The part of GitHub's and GitLab's conditions that the recipes use. */

type Value = string | boolean;

const anyToken =
  /\s*('[^']*'|"[^"]*"|\/(?:[^/\\]|\\.)+\/|==|!=|=~|!~|&&|\|\||!|\(|\)|always\(\)|\$?[\w.-]+)/y;

function tokens(text: string): string[] {
  const found: string[] = [];
  anyToken.lastIndex = 0;
  while (anyToken.lastIndex < text.trimEnd().length) {
    const at = anyToken.lastIndex;
    const match = anyToken.exec(text);
    if (match === null) throw new Error(`"${text.slice(at)}" in "${text}" begins with no known token`);
    found.push(match[1] ?? "");
  }
  return found;
}

/** Evaluates a condition. A name that `lookup` does not know is empty, as it is for both vendors. */
export function evaluate(text: string, lookup: (name: string) => string | undefined): Value {
  const rest = tokens(text);
  const primary = (): Value => {
    const token = rest.shift() ?? "";
    if (token === "!") return !primary();
    if (token === "(") {
      const value = or();
      rest.shift();
      return value;
    }
    if (token === "always()" || token === "true") return true;
    if (/^['"]/.test(token)) return token.slice(1, -1);
    if (/^\//.test(token)) return token;
    return lookup(token.replace(/^\$/, "")) ?? "";
  };
  const comparison = (): Value => {
    const left = primary();
    const operator = rest[0];
    if (operator === undefined || !["==", "!=", "=~", "!~"].includes(operator)) return left;
    rest.shift();
    const right = primary();
    if (operator === "==" || operator === "!=") return (left === right) === (operator === "==");
    return new RegExp(`${right}`.slice(1, -1)).test(`${left}`) === (operator === "=~");
  };
  const and = (): Value => {
    let value = comparison();
    while (rest[0] === "&&") {
      rest.shift();
      const next = comparison();
      value = value ? next : value;
    }
    return value;
  };
  const or = (): Value => {
    let value = and();
    while (rest[0] === "||") {
      rest.shift();
      const next = and();
      value = value || next;
    }
    return value;
  };
  const value = or();
  if (rest.length > 0) throw new Error(`"${rest.join(" ")}" is left of "${text}"`);
  return value;
}
