/** Numbers of the command line; each throws with what is wrong. */

export function parseWhole(option: string, value: string): number {
  if (!/^\d{1,7}$/.test(value)) throw new Error(`${option} ${value} is not a whole number`);
  return Number(value);
}

export function parsePort(option: string, value: string): number {
  const port = Number(value);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new Error(
      `${option} ${value} is not a port; give a whole number from 1 to 65535, or 0 for any free one`,
    );
  }
  return port;
}
