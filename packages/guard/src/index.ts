export { type Acceptance, accepts, holds, parseAcceptances } from "./acceptances.ts";
export { type Bounds, noBounds, parseBounds } from "./bounds.ts";
export type { Change } from "./change.ts";
export { type Finding, findingNames, judge, type Verdict } from "./guard.ts";
export { type Preview, readPreview, readWholePreview, UnreadablePreview } from "./preview.ts";
export { renderReport } from "./report.ts";
export type { Rule } from "./rules.ts";
export { rules } from "./rules.ts";
