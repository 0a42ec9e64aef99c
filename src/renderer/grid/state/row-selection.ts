export type RowId = number | string;

/**
 * Selected rows of a list, regardless of which rows are loaded.
 * - `following`: No row was selected explicitly, so the active row counts as selected.
 * - `some`: The rows with the given ids are selected.
 * - `all`: All rows that match the filter are selected, except the given ones.
 */
export type RowSelection =
  | { readonly kind: 'following' }
  | { readonly kind: 'some'; readonly ids: ReadonlySet<RowId> }
  | { readonly kind: 'all'; readonly except: ReadonlySet<RowId> };

export const activeRowSelection: RowSelection = { kind: 'following' };
export const allRowsSelection: RowSelection = { kind: 'all', except: new Set() };

export function isRowSelected(selection: RowSelection, id: RowId, activeId: RowId | null): boolean {
  switch (selection.kind) {
    case 'following':
      return id === activeId;
    case 'some':
      return selection.ids.has(id);
    case 'all':
      return !selection.except.has(id);
  }
}

export function countSelectedRows(selection: RowSelection, total: number, activeId: RowId | null): number {
  switch (selection.kind) {
    case 'following':
      return activeId === null ? 0 : 1;
    case 'some':
      return selection.ids.size;
    case 'all':
      return Math.max(0, total - selection.except.size);
  }
}

/** Selects or deselects one row. If `keepActive` is true (for a click), the active row stays selected. */
export function toggleRowSelection(
  selection: RowSelection,
  id: RowId,
  activeId: RowId | null,
  keepActive = false,
): RowSelection {
  switch (selection.kind) {
    case 'following':
      return selectRows(keepActive && activeId !== null && activeId !== id ? [activeId, id] : [id]);
    case 'some': {
      const ids = toggleMembership(selection.ids, id);
      return ids.size === 0 ? activeRowSelection : { kind: 'some', ids };
    }
    case 'all':
      return { kind: 'all', except: toggleMembership(selection.except, id) };
  }
}

/** Returns the selected ids or, if all rows are selected, the excluded ids. */
export function getNamedIds(selection: RowSelection): ReadonlySet<RowId> {
  return selection.kind === 'some' ? selection.ids : selection.kind === 'all' ? selection.except : new Set();
}

/** Returns the selection without rows that are no longer in the list. */
export function removeFromSelection(selection: RowSelection, removed: ReadonlySet<RowId>): RowSelection {
  if (removed.size === 0 || selection.kind === 'following') return selection;
  const ids = new Set([...getNamedIds(selection)].filter((id) => !removed.has(id)));
  if (selection.kind === 'all') return { kind: 'all', except: ids };
  return ids.size === 0 ? activeRowSelection : { kind: 'some', ids };
}

/** Returns a selection of exactly these rows. */
export function selectRows(ids: Iterable<RowId>): RowSelection {
  return { kind: 'some', ids: new Set(ids) };
}

function toggleMembership(ids: ReadonlySet<RowId>, id: RowId): ReadonlySet<RowId> {
  const toggled = new Set(ids);
  if (!toggled.delete(id)) toggled.add(id);
  return toggled;
}
