/** A TOML basic string: JSON's escapes are TOML's too, but for DEL, which TOML wants escaped. */
export function tomlString(value: string): string {
  return JSON.stringify(value).replace(/\x7f/g, "\\u007f");
}
