import type { StatementSearchResult } from '../../contract/index.ts';
import { selectTab } from '../navigation/window-state.ts';
import { openPdfFindBarAtMatch, updatePdfSearchState } from '../pdf/pdf-search-state.ts';
import { texts } from '../texts/texts.ts';

/** Opens the tab of a statement that contains a search match, and highlights the match. `typed` is the search text. */
export function openStatementPassage(
  { id, passage }: Pick<StatementSearchResult, 'id' | 'passage'>,
  typed: string,
): void {
  if (!passage) return;
  const eachWord = /\s/.test(typed);
  const search = { words: eachWord ? typed : passage.hit, eachWord };
  selectTab('statement', passage.source === 'memo' ? 'details' : passage.source);
  if (passage.source === 'pdf')
    openPdfFindBarAtMatch({ name: texts.pdf.name(id), page: passage.page ?? 1 }, search);
  else updatePdfSearchState({ open: true, ...search });
}
