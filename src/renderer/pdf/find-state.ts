import { create } from 'zustand';

/** Match to show when a document is opened. */
export type FindTarget = {
  /** Name of the document, so that a document that is still open does not consume the target. */
  readonly name: string;
} & (
  | { readonly at: 'first' | 'last' }
  /** The first match on or after this page. */
  | { readonly page: number }
);

/** Search in PDFs. It is kept while the window is open, so that it continues in the next document. */
export interface FindState {
  /** True if the find bar is shown. */
  readonly open: boolean;
  readonly words: string;
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
  /** True if the search continues in the next document after the last match. */
  readonly searchesOtherDocuments: boolean;
  /** Target for the next document that is opened. Consumed once. */
  readonly target: FindTarget | null;
  /** True to focus the search field. Reset once done. */
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

/** Opens the find bar with these words, or its previous ones, and focuses its field. */
export function openFindBar(words?: string): void {
  useFindState.setState({ open: true, focusField: true, ...(words === undefined ? {} : { words }) });
}

/** Sets the match that the next opened document shows. If the search field has the focus, it keeps it in the next document. */
export function openAtMatch(target: FindTarget, words?: string): void {
  const focusField = document.activeElement?.closest('.pdf-findbar') != null;
  useFindState.setState({ open: true, target, focusField, ...(words === undefined ? {} : { words }) });
}

/** Returns the pending target of the document with this name; null if there is none. */
export function findTargetFor(
  name: string,
  { target }: FindState = useFindState.getState(),
): FindTarget | null {
  return target?.name === name ? target : null;
}

/** Returns the pending target of the document with this name and removes it. */
export function consumeFindTarget(name: string): FindTarget | null {
  const target = findTargetFor(name);
  if (target) useFindState.setState({ target: null });
  return target;
}
