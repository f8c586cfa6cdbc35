/** A container, as its frpc names itself: `<namespace>.<name>`. Both are DNS labels, so there is one dot. */
export interface Identity {
  readonly namespace: string;
  readonly name: string;
}

const label = "[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?";
const pattern = new RegExp(`^${label}\\.${label}$`);

/** The container that a user name stands for, or undefined. */
export function parseUser(user: string): Identity | undefined {
  const dot = user.indexOf(".");
  return pattern.test(user) ? { namespace: user.slice(0, dot), name: user.slice(dot + 1) } : undefined;
}
