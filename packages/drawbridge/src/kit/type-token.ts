/** Pulumi's type tokens, `<package>:<module>:<Class>`. */

/** Of a component of this library. */
export const tokenOf = (title: string): string => `drawbridge:index:${title}`;

/** The class: `kubernetes:core/v1:Secret` is a `Secret`. */
export const classOf = (token: string): string => token.slice(token.lastIndexOf(":") + 1);
