/** A change of a value from one item of a list to a later item. */
export interface ValueChange<Item> {
  readonly before: Item;
  readonly after: Item;
}

/**
 * Returns the changes of a value along a list. A change back to the earlier value is left out, so that a single wrong
 * item is one change. Items without a value (null) are skipped.
 */
export function findChanges<Item, Value>(
  items: readonly Item[],
  getValue: (item: Item) => Value | null,
  isDifferent: (one: Value, other: Value) => boolean,
): ValueChange<Item>[] {
  const changes: ValueChange<Item>[] = [];
  let last: { item: Item; value: Value } | null = null;
  let earlier: Value | null = null;
  for (const item of items) {
    const value = getValue(item);
    if (value === null) continue;
    if (last !== null && isDifferent(last.value, value)) {
      const changesBack: boolean = earlier !== null && !isDifferent(earlier, value);
      if (!changesBack) changes.push({ before: last.item, after: item });
      earlier = changesBack ? null : last.value;
    }
    last = { item, value };
  }
  return changes;
}
