/** Whether `inner` is `outer` or below it. */
export const within = (inner: string, outer: string): boolean =>
  inner === outer || inner.startsWith(`${outer}/`);
