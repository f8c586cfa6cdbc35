import { expect, it } from "vitest";
import { formatFigure, unitOf } from "./format.ts";

it("knows a figure's unit by its name", () => {
  const figures = [
    "login",
    "echo_beside_bulk_p99",
    "preview_100_wall",
    "preview_100_memory",
    "heap_per_tunnel_1000",
    "resident_per_tunnel_1000",
    "bytes_10",
    "image_devcontainer",
    "download_per_second",
    "lost",
    "lost_1000",
    "requests_20",
  ];
  expect(figures.map(unitOf)).toEqual([
    "seconds",
    "seconds",
    "seconds",
    "bytes",
    "bytes",
    "bytes",
    "bytes",
    "bytes",
    "rate",
    "count",
    "count",
    "count",
  ]);
});

it.each<[string, number, string]>([
  ["login", 0.21345, "213 ms"],
  ["login", 0.0004, "0.4 ms"],
  ["login", 12.345, "12.3 s"],
  ["up_100_wall", 1234.5, "1235 s"],
  ["memory", 0, "0 B"],
  ["memory", 36 * 1024, "36 KiB"],
  ["memory", 500 * 1024 ** 2, "500 MiB"],
  ["download_per_second", 1.5 * 1024 ** 3, "1.5 GiB/s"],
  ["lost", 50, "50"],
])("%s of %d is %s", (figure, value, text) => {
  expect(formatFigure(figure, value)).toBe(text);
});
