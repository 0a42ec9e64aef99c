/** Returns the newest sign-off of a period's history, or undefined if nothing has been signed. */
export const findLastSignOff = <Entry extends { readonly action: string }>(
  history: readonly Entry[],
): Entry | undefined => history.findLast(({ action }) => !NOT_SIGN_OFFS.has(action));

const NOT_SIGN_OFFS: ReadonlySet<string> = new Set([
  'opened',
  'commented',
  'answered',
  'cleared',
  'explained',
]);
