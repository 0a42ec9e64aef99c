/** Returns the newest sign-off of a period's history, or undefined if nothing has been signed. */
export const findLastSignOff = <Entry extends { readonly action: string }>(
  history: readonly Entry[],
): Entry | undefined => history.findLast(({ action }) => !NOT_SIGN_OFFS.has(action));

/** Returns the entries of a period's history after its last reopening, or all if it has never been reopened. */
export const listEntriesSinceReopening = <Entry extends { readonly action: string }>(
  history: readonly Entry[],
): readonly Entry[] => history.slice(history.findLastIndex(({ action }) => action === 'reopened') + 1);

const NOT_SIGN_OFFS: ReadonlySet<string> = new Set([
  'opened',
  'commented',
  'answered',
  'cleared',
  'explained',
]);
