/** An IPv4 address as a number, or undefined when the text is none. */
export function parseIpv4(text: string): number | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) {
    return undefined;
  }
  return parts.reduce((number, part) => number * 256 + Number(part), 0);
}

export function formatIpv4(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join(".");
}

/** First and last address of a range such as `10.201.1.0/24`, without the two that name the network and all in it. */
export function hostRange(range: string): { first: number; last: number } {
  const [base = "", bits = ""] = range.split("/");
  const network = parseIpv4(base);
  const length = Number(bits);
  if (network === undefined || !/^\d+$/.test(bits) || length > 30) {
    throw new Error(`"${range}" is no IPv4 range; write it like 10.201.1.0/24, with at most 30 bits`);
  }
  return { first: network + 1, last: network + 2 ** (32 - length) - 2 };
}
