export type { Finding, Rule } from "./finding.ts";
export { judge, type Verdict } from "./guard.ts";
export { holds, type Override, parseOverride } from "./overrides.ts";
export { type Change, readPreview, UnreadablePreview } from "./preview.ts";
export { renderReport } from "./report.ts";
export { rules } from "./rules/index.ts";
