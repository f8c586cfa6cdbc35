import { expect, it } from "vitest";
import { metricsIn, metricsOf } from "../../../scripts/lib/lab/metrics.ts";

const text = `# HELP requests_total How many.
requests_total{verb="GET",code="200"} 3
requests_total{verb="POST",code="201"} 4.5e+01
process_cpu_seconds_total 0.25
process_cpu_seconds_total_other 7
`;

it("reads a program's own figures, summed over their labels", () => {
  const own = metricsOf(text, "the server");
  expect([own("requests_total"), own("process_cpu_seconds_total")]).toEqual([48, 0.25]);
});

it("has nothing of what a text does not tell", () => {
  expect(metricsIn(text)).toEqual(
    new Map([
      ["requests_total", 48],
      ["process_cpu_seconds_total", 0.25],
      ["process_cpu_seconds_total_other", 7],
    ]),
  );
});

it("says which figure is not there", () => {
  expect(() => metricsOf(text, "the server")("requests")).toThrow(
    "the metrics of the server have no requests",
  );
});
