/**
 * What is selected in a list, independent of what is loaded.
 * - `following`: nothing was picked; the active row stands for the selection and takes it along.
 * - `some`: these, by id.
 * - `all`: everything the filter matches, but for these.
 */
export type Id = number | string;
export type Selection =
  | { readonly kind: 'following' }
  | { readonly kind: 'some'; readonly ids: ReadonlySet<Id> }
  | { readonly kind: 'all'; readonly except: ReadonlySet<Id> };

export const following: Selection = { kind: 'following' };
export const everything: Selection = { kind: 'all', except: new Set() };

export function isSelected(selection: Selection, id: Id, active: Id | null): boolean {
  switch (selection.kind) {
    case 'following':
      return id === active;
    case 'some':
      return selection.ids.has(id);
    case 'all':
      return !selection.except.has(id);
  }
}

/** How many rows are selected; `active` is the active row's id. */
export function selectedCount(selection: Selection, total: number, active: Id | null): number {
  switch (selection.kind) {
    case 'following':
      return active === null ? 0 : 1;
    case 'some':
      return selection.ids.size;
    case 'all':
      return Math.max(0, total - selection.except.size);
  }
}

/**
 * Takes one in or out. With a click (`keepActive`) the row that was active until now stays part of the selection, as in
 * any list of files; with a key the row itself is the first one picked.
 */
export function toggled(selection: Selection, id: Id, active: Id | null, keepActive = false): Selection {
  switch (selection.kind) {
    case 'following':
      return some(keepActive && active !== null && active !== id ? [active, id] : [id]);
    case 'some':
      return orFollowing(flipped(selection.ids, id));
    case 'all':
      return { kind: 'all', except: flipped(selection.except, id) };
  }
}

/** A range alone, or added to what is selected. */
export function withRange(selection: Selection, ids: readonly Id[], add: boolean): Selection {
  if (!add || selection.kind === 'following') return some(ids);
  if (selection.kind === 'some') return some([...selection.ids, ...ids]);
  const except = new Set(selection.except);
  for (const id of ids) except.delete(id);
  return { kind: 'all', except };
}

function some(ids: Iterable<Id>): Selection {
  return { kind: 'some', ids: new Set(ids) };
}

function orFollowing(ids: ReadonlySet<Id>): Selection {
  return ids.size === 0 ? following : { kind: 'some', ids };
}

function flipped(ids: ReadonlySet<Id>, id: Id): ReadonlySet<Id> {
  const made = new Set(ids);
  if (!made.delete(id)) made.add(id);
  return made;
}
