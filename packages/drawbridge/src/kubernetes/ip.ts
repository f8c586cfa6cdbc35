/** Ranges of addresses as numbers: what a CIDR, with its exceptions, really covers. */
import { isIPv4, isIPv6 } from "node:net";

export interface IpRange {
  readonly family: 4 | 6;
  readonly low: bigint;
  readonly high: bigint;
}

const bits = { 4: 32, 6: 128 } as const;

/** The whole of a family. */
export const everyAddress = (family: 4 | 6): IpRange => ({
  family,
  low: 0n,
  high: (1n << BigInt(bits[family])) - 1n,
});

/** `10.0.0.0/8`, with host bits set or not; undefined for anything else. */
export function parseCidr(text: string): IpRange | undefined {
  const [address = "", length, ...rest] = text.split("/");
  const family = isIPv4(address) ? 4 : isIPv6(address) ? 6 : undefined;
  if (family === undefined || rest.length > 0 || length === undefined || !/^\d{1,3}$/.test(length)) {
    return undefined;
  }
  const host = bits[family] - Number(length);
  if (host < 0) return undefined;
  const value = family === 4 ? v4(address) : v6(address);
  const low = (value >> BigInt(host)) << BigInt(host);
  return { family, low, high: low + (1n << BigInt(host)) - 1n };
}

function v4(address: string): bigint {
  return address.split(".").reduce((sum, part) => (sum << 8n) + BigInt(part), 0n);
}

function v6(address: string): bigint {
  const text = address.replace(/%.*$/, "").replace(/\d+\.\d+\.\d+\.\d+$/, (dotted) => {
    const tail = v4(dotted);
    return `${(tail >> 16n).toString(16)}:${(tail & 0xffffn).toString(16)}`;
  });
  const [head = "", after] = text.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = after === undefined || after === "" ? [] : after.split(":");
  const zeros = after === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(zeros).fill("0"), ...right];
  return groups.reduce((sum, group) => (sum << 16n) + BigInt(`0x${group}`), 0n);
}

/** The fewest CIDRs that make up a range. */
export function toCidrs({ family, low, high }: IpRange): string[] {
  const cidrs: string[] = [];
  for (let start = low; start <= high; ) {
    let host = 0;
    const fits = (size: number) => {
      const step = 1n << BigInt(size);
      return size <= bits[family] && start % step === 0n && start + step - 1n <= high;
    };
    while (fits(host + 1)) host += 1;
    cidrs.push(`${family === 4 ? show4(start) : show6(start)}/${bits[family] - host}`);
    start += 1n << BigInt(host);
  }
  return cidrs;
}

function show4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join(".");
}

function show6(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, index) =>
    ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16),
  );
  const marks = groups.map((group) => (group === "0" ? "0" : "x")).join("");
  const [longest] = [...marks.matchAll(/0+/g)].sort((a, b) => b[0].length - a[0].length);
  if (longest === undefined || longest[0].length < 2) return groups.join(":");
  const { index } = longest;
  return `${groups.slice(0, index).join(":")}::${groups.slice(index + longest[0].length).join(":")}`;
}

export function overlap(a: IpRange, b: IpRange): IpRange | undefined {
  if (a.family !== b.family) return undefined;
  const low = a.low > b.low ? a.low : b.low;
  const high = a.high < b.high ? a.high : b.high;
  return low > high ? undefined : { family: a.family, low, high };
}
