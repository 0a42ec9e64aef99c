import { create } from 'zustand';

/** Search match to show when a document is opened. */
export type PdfSearchTarget = {
  /** Name of the document. It prevents another document that is still open from consuming the target. */
  readonly name: string;
} & (
  | { readonly at: 'first' | 'last' }
  /** The first match on or after this page. */
  | { readonly page: number }
);

/** State of the search in PDFs. It persists while the window is open, so that searches continue across documents. */
export interface PdfSearchState {
  /** True if the find bar is visible. */
  readonly open: boolean;
  readonly words: string;
  /** True to find each of the words, like the search of a list. Otherwise, the words are found only as a phrase. */
  readonly eachWord: boolean;
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
  /** True if the search continues in the next document after the last match of the current one. */
  readonly searchesOtherDocuments: boolean;
  /** Search target for the next document that is opened. It is consumed once. */
  readonly target: PdfSearchTarget | null;
  /** True if the search field should receive the focus. Reset to false afterward. */
  readonly focusField: boolean;
}

export const usePdfSearchState = create<PdfSearchState>(() => ({
  open: false,
  words: '',
  eachWord: false,
  matchCase: false,
  wholeWord: false,
  searchesOtherDocuments: true,
  target: null,
  focusField: false,
}));

export function updatePdfSearchState(part: Partial<PdfSearchState>): void {
  usePdfSearchState.setState(part);
}

/** Opens the find bar with the given search text, or with the previous text, and focuses its field. */
export function openPdfFindBar(words?: string): void {
  usePdfSearchState.setState({
    open: true,
    focusField: true,
    ...(words === undefined ? {} : { words, eachWord: false }),
  });
}

/** Opens the find bar and sets the match to show in the next document. Keeps a focused search field focused. */
export function openPdfFindBarAtMatch(
  target: PdfSearchTarget,
  search: Partial<Pick<PdfSearchState, 'words' | 'eachWord'>> = {},
): void {
  const focusField = document.activeElement?.closest('.pdf-findbar') != null;
  usePdfSearchState.setState({ open: true, target, focusField, ...search });
}

/** Returns the pending target of the document with this name, or null if there is none. */
export function getPdfSearchTarget(
  name: string,
  { target }: PdfSearchState = usePdfSearchState.getState(),
): PdfSearchTarget | null {
  return target?.name === name ? target : null;
}

/** Returns the pending target of the document with this name and removes the target. */
export function consumePdfSearchTarget(name: string): PdfSearchTarget | null {
  const target = getPdfSearchTarget(name);
  if (target) usePdfSearchState.setState({ target: null });
  return target;
}
