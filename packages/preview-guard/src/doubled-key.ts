/** A key that an object has twice, somewhere in JSON that can be parsed; undefined where none has. */
export function doubledKey(json: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  // Strings, which are keys if a colon follows, and brackets.
  for (const [token, text, named] of json.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]/g)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (named !== undefined && text !== undefined) {
      const key = text.includes("\\") ? JSON.stringify(JSON.parse(text)) : text;
      const keys = open.at(-1);
      if (keys?.has(key)) return key;
      keys?.add(key);
    }
  }
  return undefined;
}
