import { create } from 'zustand';

/** Search match to show when a document is opened. */
export type FindTarget = {
  /** Name of the document. It prevents another document that is still open from consuming the target. */
  readonly name: string;
} & (
  | { readonly at: 'first' | 'last' }
  /** The first match on or after this page. */
  | { readonly page: number }
);

/** State of the search in PDFs. It persists while the window is open, so that searches continue across documents. */
export interface FindState {
  /** True if the find bar is visible. */
  readonly open: boolean;
  readonly words: string;
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
  /** True if the search continues in the next document after the last match of the current one. */
  readonly searchesOtherDocuments: boolean;
  /** Target for the next document that is opened. It is consumed once. */
  readonly target: FindTarget | null;
  /** True if the search field should receive the focus. Reset to false afterward. */
  readonly focusField: boolean;
}

export const useFindState = create<FindState>(() => ({
  open: false,
  words: '',
  matchCase: false,
  wholeWord: false,
  searchesOtherDocuments: true,
  target: null,
  focusField: false,
}));

export function updateFindState(part: Partial<FindState>): void {
  useFindState.setState(part);
}

/** Opens the find bar with the given search text, or with the previous text, and focuses its field. */
export function openFindBar(words?: string): void {
  useFindState.setState({ open: true, focusField: true, ...(words === undefined ? {} : { words }) });
}

/** Sets the match that the next opened document shows. A focused search field is focused again in that document. */
export function openFindBarAtMatch(target: FindTarget, words?: string): void {
  const focusField = document.activeElement?.closest('.pdf-findbar') != null;
  useFindState.setState({ open: true, target, focusField, ...(words === undefined ? {} : { words }) });
}

/** Returns the pending target of the document with this name, or null if there is none. */
export function getFindTarget(
  name: string,
  { target }: FindState = useFindState.getState(),
): FindTarget | null {
  return target?.name === name ? target : null;
}

/** Returns the pending target of the document with this name and removes the target. */
export function consumeFindTarget(name: string): FindTarget | null {
  const target = getFindTarget(name);
  if (target) useFindState.setState({ target: null });
  return target;
}
