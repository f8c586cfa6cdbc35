import { expect, it } from "vitest";
import { barChart } from "./chart.ts";

const bars = [
  { label: "drawbridge", value: 1, text: "1 s" },
  { label: "nc & co", value: 4, text: "<4 s" },
  { label: "nothing", value: 0, text: "0 ms" },
];

it("draws one bar each, as long as its share of the longest, ours apart", () => {
  const svg = barChart({ title: "login", bars, ours: "drawbridge" });
  const rects = [...svg.matchAll(/<rect [^>]*width="(\d+)"[^>]*?(class="ours")?\/>/g)];
  expect(rects.map(([, length, ours]) => [Number(length), ours !== undefined])).toEqual([
    [85, true],
    [340, false],
    [1, false],
  ]);
  expect([...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text)).toEqual([
    "login",
    "drawbridge",
    "1 s",
    "nc &amp; co",
    "&lt;4 s",
    "nothing",
    "0 ms",
  ]);
});

it("has colours for dark pages", () => {
  expect(barChart({ title: "x", bars, ours: "drawbridge" })).toContain("prefers-color-scheme: dark");
});
