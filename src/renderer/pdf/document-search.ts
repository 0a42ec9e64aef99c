import type { EventBus, PDFFindController, PDFViewer } from 'pdfjs-dist/web/pdf_viewer.mjs';
import { extractPassage, type SearchPassage } from '../../domain/text-search/index.ts';
import type { FindState, FindTarget } from './find-state.ts';
import type { PdfDocument } from './open-document.ts';
import { scrollIntoContainerView } from './scroll-into-view.ts';

/** Current match of a search, and the number of matches. */
export interface CurrentMatch {
  /** Search query, serialized so that it can be compared. */
  readonly queryKey: string;
  readonly at: number;
  readonly of: number;
  /** True if the search has covered all pages. */
  readonly isComplete: boolean;
}

/** One search match in the document, with the surrounding text. */
export interface PdfMatch {
  /** Page number, counted from 1. */
  readonly page: number;
  /** Index of the match on its page, counted from 0. */
  readonly place: number;
  readonly passage: SearchPassage;
}

export type SearchQuery = Pick<FindState, 'words' | 'matchCase' | 'wholeWord'>;
export type SearchDirection = 'new' | 'next' | 'previous';

export interface DocumentSearch {
  /** Starts a new search at the current page or the target, or goes to the next or previous match. */
  find(sought: SearchQuery, way: SearchDirection, arrival?: FindTarget | null): void;
  /** Scrolls to a match and highlights it. */
  showMatch(hit: Pick<PdfMatch, 'page' | 'place'>): void;
  clear(): void;
  /** Returns the first `limit` matches with the surrounding text. */
  listMatches(limit: number): Promise<PdfMatch[]>;
}

interface DocumentSearchOptions {
  readonly document: PdfDocument;
  readonly viewer: PDFViewer;
  readonly controller: PDFFindController;
  readonly eventBus: EventBus;
  onMatch(match: CurrentMatch | null): void;
}

/** Creates the search within one document, based on the find controller of pdf.js. */
export function createDocumentSearch({
  document,
  viewer,
  controller,
  eventBus,
  onMatch,
}: DocumentSearchOptions): DocumentSearch {
  let last: SearchQuery | null = null;
  // Makes the search continue from the last match even if the user has scrolled away from it.
  controller.onIsPageVisible = () => true;
  // Replaces the default implementation of pdf.js, which would scroll the entire window.
  controller.scrollMatchIntoView = ({ element, pageIndex, matchIndex }) => {
    const { pageIdx, matchIdx } = controller.selected ?? {};
    if (!controller._scrollMatches || pageIndex !== pageIdx || matchIndex !== matchIdx) return;
    controller._scrollMatches = false;
    scrollIntoContainerView(viewer.container, element);
  };
  const reportCount = ({ matchesCount }: { matchesCount: { current: number; total: number } }) => {
    if (last === null) return;
    const isComplete = controller._pendingFindMatches?.size === 0;
    onMatch({ queryKey: JSON.stringify(last), at: matchesCount.current, of: matchesCount.total, isComplete });
  };
  eventBus.on('updatefindmatchescount', reportCount);
  eventBus.on('updatefindcontrolstate', reportCount);

  function dispatch(sought: SearchQuery, again: boolean, backwards: boolean): void {
    eventBus.dispatch('find', {
      source: viewer,
      type: again ? 'again' : '',
      query: sought.words,
      caseSensitive: sought.matchCase,
      entireWord: sought.wholeWord,
      highlightAll: true,
      findPrevious: backwards,
      matchDiacritics: false,
    });
  }

  function clear(): void {
    last = null;
    eventBus.dispatch('findbarclose', { source: viewer });
    onMatch(null);
  }

  return {
    clear,
    find(sought, way, arrival = null) {
      if (sought.words.trim() === '') return clear();
      const { words, matchCase, wholeWord } = sought;
      last = { words, matchCase, wholeWord };
      if (way !== 'new') return dispatch(sought, true, way === 'previous');
      if (arrival !== null) viewer.currentPageNumber = startPage(arrival, document.numPages);
      // Searches backward from the last page, so that the last match is found first.
      dispatch(sought, false, arrival !== null && 'at' in arrival && arrival.at === 'last');
    },
    showMatch({ page, place }) {
      if (last === null) return;
      const before = { pageIdx: page - 1, matchIdx: place === 0 ? null : place - 1, wrapped: false };
      // Continues the search from just before the match, because pdf.js cannot jump to a specific match.
      Object.assign(controller, { _offset: before });
      dispatch(last, true, false);
    },
    async listMatches(limit) {
      const matches: PdfMatch[] = [];
      const offsetsByPage: readonly (readonly number[])[] = controller.pageMatches ?? [];
      for (const [index, offsets] of offsetsByPage.entries()) {
        if (matches.length >= limit) break;
        if (!offsets || offsets.length === 0) continue;
        const lengths = controller.pageMatchesLength?.[index] ?? [];
        const passageAt = await createPassageExtractor(document, index + 1);
        const onPage = offsets.slice(0, limit - matches.length).map((offset, place) => ({
          page: index + 1,
          place,
          passage: passageAt(offset, lengths[place] ?? 0),
        }));
        matches.push(...onPage);
      }
      return matches;
    },
  };
}

function startPage(arrival: FindTarget, pages: number): number {
  if ('page' in arrival) return Math.max(1, Math.min(pages, arrival.page));
  return arrival.at === 'last' ? pages : 1;
}

/**
 * Returns a function that extracts text passages of a page. The function converts offsets, because pdf.js counts
 * characters without line breaks.
 */
async function createPassageExtractor(
  document: PdfDocument,
  number: number,
): Promise<(at: number, length: number) => SearchPassage> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent({ disableNormalization: true });
  let text = '';
  let counted = 0;
  /** Offsets of the line breaks, as pdf.js counts characters. */
  const ends: number[] = [];
  for (const item of items) {
    if (!('str' in item)) continue;
    text += item.str;
    counted += item.str.length;
    if (!item.hasEOL) continue;
    text += '\n';
    ends.push(counted);
  }
  const inText = (at: number, last = false) =>
    at + ends.filter((end) => (last ? end < at : end <= at)).length;
  return (at, length) => {
    const from = inText(at);
    return { ...extractPassage(text, from, text.slice(from, inText(at + length, true))), page: number };
  };
}
