/** The last look at a line before it goes into an ssh_config or known_hosts: whatever its values, it stays one line. */

/** Control characters, and Unicode's own line ends, at which some readers of a file begin a new line. */
const breaking = /[\p{Cc}\u2028\u2029]/u;

/** The line as it is; throws if something in it would begin another one. */
export function checkedLine(line: string): string {
  if (!breaking.test(line)) return line;
  throw new Error(`${JSON.stringify(line)} holds a line break or another control character; take it out`);
}

/** A name as `Host` and `known_hosts` take it: no pattern, no list, no second word. */
export function checkedName(name: string): string {
  if (/^[A-Za-z0-9_][A-Za-z0-9._:/+@-]*$/.test(name)) return name;
  throw new Error(
    `${JSON.stringify(name)} is not a name for ssh; use letters, digits, ., _ and -, beginning with a letter or digit`,
  );
}

/** A file's path, as it may stand in a config between quotes and in a command that a shell reads. */
export function checkedPath(path: string): string {
  if (path !== "" && !/["`$\p{Cc}\u2028\u2029]|\\$/u.test(path)) return path;
  throw new Error(
    `${JSON.stringify(path)} cannot stand in an ssh_config; use a path without quotes, $ and control characters`,
  );
}
