import { expect, it } from "vitest";
import { barChart } from "./chart.ts";

const bars = [
  { label: "nc & co", value: 4, text: "<4 s", ours: false },
  { label: "drawbridge", value: 1, text: "1 s", ours: true },
  { label: "nothing", value: 0, text: "0 ms", ours: false },
];
const chart = { title: "A login takes 1 s", conditions: "Two cores; shorter is better.", bars };

it("draws one bar each, as long as its share of the longest, ours first and apart", () => {
  const svg = barChart(chart);
  const rects = [...svg.matchAll(/<rect [^>]*y="(\d+)" width="(\d+)"[^>]*?(class="ours")?\/>/g)];
  expect(rects.map(([, top, length, ours]) => [Number(top), Number(length), ours !== undefined])).toEqual([
    [40, 105, true],
    [80, 420, false],
    [106, 1, false],
  ]);
  expect([...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text)).toEqual([
    "A login takes 1 s",
    "drawbridge",
    "1 s",
    "nc &amp; co",
    "&lt;4 s",
    "nothing",
    "0 ms",
    "Two cores; shorter is better.",
  ]);
});

it("has colours for dark pages", () => {
  expect(barChart(chart)).toContain("prefers-color-scheme: dark");
});
