import type { WorkSteps } from './work-steps.ts';

/** Number of items per step, which is a few milliseconds of work. */
const ITEMS_PER_STEP = 4096;

/** Returns a sorted copy. Sorts in steps by merging sorted runs, because a large sort would block the thread. Stable. */
export function* sortInSteps<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
): WorkSteps<Item[]> {
  let runs: Item[][] = [];
  for (let from = 0; from < items.length; from += ITEMS_PER_STEP) {
    runs.push(items.slice(from, from + ITEMS_PER_STEP).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(yield* mergeRuns(runs[at]!, runs[at + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergeRuns<Item>(
  one: readonly Item[],
  other: readonly Item[],
  compare: (a: Item, b: Item) => number,
): WorkSteps<Item[]> {
  const merged: Item[] = [];
  let [atOne, atOther] = [0, 0];
  while (atOne < one.length || atOther < other.length) {
    if (merged.length % ITEMS_PER_STEP === 0) yield;
    const isOne =
      atOther === other.length || (atOne < one.length && compare(one[atOne]!, other[atOther]!) <= 0);
    merged.push(isOne ? one[atOne++]! : other[atOther++]!);
  }
  return merged;
}
