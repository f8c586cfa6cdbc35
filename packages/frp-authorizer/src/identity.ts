/** A container, as its frpc names itself: `<namespace>.<name>`. Both are DNS labels, so there is one dot. */
export interface Identity {
  readonly namespace: string;
  readonly name: string;
}

const label = "[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?";
const pattern = new RegExp(`^(${label})\\.(${label})$`);

/** The container that a user name stands for, or undefined. */
export function parseUser(user: string): Identity | undefined {
  const [, namespace, name] = pattern.exec(user) ?? [];
  return namespace === undefined || name === undefined ? undefined : { namespace, name };
}
