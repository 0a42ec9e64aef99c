import type { EventBus, PDFFindController, PDFViewer } from 'pdfjs-dist/web/pdf_viewer.mjs';
import { extractTextPassage, type SearchPassage } from '../../domain/text-search/index.ts';
import type { PdfDocument } from './open-pdf-document.ts';
import type { PdfSearchState, PdfSearchTarget } from './pdf-search-state.ts';

/** Current match of a search, and the number of matches. */
export interface CurrentPdfMatch {
  /** Search query, serialized so that it can be compared. */
  readonly queryKey: string;
  readonly at: number;
  readonly of: number;
  /** True if the search has covered all pages. */
  readonly isComplete: boolean;
}

/** One search match in the document, with the surrounding text. */
export interface PdfSearchMatch {
  /** Page number, counted from 1. */
  readonly page: number;
  /** Index of the match on its page, counted from 0. */
  readonly indexOnPage: number;
  readonly passage: SearchPassage;
}

type SearchQuery = Pick<PdfSearchState, 'words' | 'eachWord' | 'matchCase' | 'wholeWord'>;
type SearchDirection = 'new' | 'next' | 'previous';

export interface PdfDocumentSearch {
  /** Starts a new search at the current page or the target, or goes to the next or previous match. */
  find(query: SearchQuery, direction: SearchDirection, target?: PdfSearchTarget | null): void;
  /** Scrolls to a match and highlights it. */
  showMatch(match: Pick<PdfSearchMatch, 'page' | 'indexOnPage'>): void;
  clear(): void;
  /** Returns the first `limit` matches with the surrounding text. */
  listMatches(limit: number): Promise<PdfSearchMatch[]>;
}

interface DocumentSearchOptions {
  readonly document: PdfDocument;
  readonly viewer: PDFViewer;
  readonly controller: PDFFindController;
  readonly eventBus: EventBus;
  onMatch(match: CurrentPdfMatch | null): void;
}

/** Creates the search within one document, based on the find controller of pdf.js. */
export function createPdfDocumentSearch(options: DocumentSearchOptions): PdfDocumentSearch {
  const { document, viewer, controller, eventBus, onMatch } = options;
  let currentQuery: SearchQuery | null = null;
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
    if (currentQuery === null) return;
    const isComplete = controller._pendingFindMatches?.size === 0;
    onMatch({
      queryKey: JSON.stringify(currentQuery),
      at: matchesCount.current,
      of: matchesCount.total,
      isComplete,
    });
  };
  eventBus.on('updatefindmatchescount', reportCount);
  eventBus.on('updatefindcontrolstate', reportCount);

  function dispatch(query: SearchQuery, again: boolean, backwards: boolean): void {
    eventBus.dispatch('find', {
      source: viewer,
      type: again ? 'again' : '',
      query: query.eachWord ? query.words.trim().split(/\s+/) : query.words,
      caseSensitive: query.matchCase,
      entireWord: query.wholeWord,
      highlightAll: true,
      findPrevious: backwards,
      matchDiacritics: false,
    });
  }

  function clear(): void {
    currentQuery = null;
    eventBus.dispatch('findbarclose', { source: viewer });
    onMatch(null);
  }

  return {
    clear,
    find(query, direction, target = null) {
      if (query.words.trim() === '') return clear();
      const { words, eachWord, matchCase, wholeWord } = query;
      currentQuery = { words, eachWord, matchCase, wholeWord };
      if (direction !== 'new') return dispatch(query, true, direction === 'previous');
      if (target !== null) viewer.currentPageNumber = startPage(target, document.numPages);
      // Searches backward from the last page, so that the last match is found first.
      dispatch(query, false, target !== null && 'at' in target && target.at === 'last');
    },
    showMatch({ page, indexOnPage }) {
      if (currentQuery === null) return;
      const before = {
        pageIdx: page - 1,
        matchIdx: indexOnPage === 0 ? null : indexOnPage - 1,
        wrapped: false,
      };
      // Continues the search from just before the match, because pdf.js cannot jump to a specific match.
      Object.assign(controller, { _offset: before });
      dispatch(currentQuery, true, false);
    },
    listMatches: (limit) => listMatches(document, controller, limit),
  };
}

async function listMatches(
  document: PdfDocument,
  controller: PDFFindController,
  limit: number,
): Promise<PdfSearchMatch[]> {
  const matches: PdfSearchMatch[] = [];
  const offsetsByPage: readonly (readonly number[])[] = controller.pageMatches ?? [];
  for (const [index, offsets] of offsetsByPage.entries()) {
    if (matches.length >= limit) break;
    if (!offsets || offsets.length === 0) continue;
    const lengths = controller.pageMatchesLength?.[index] ?? [];
    const page = index + 1;
    const passageAt = await createPassageExtractor(document, page);
    for (const [indexOnPage, offset] of offsets.slice(0, limit - matches.length).entries())
      matches.push({ page, indexOnPage, passage: passageAt(offset, lengths[indexOnPage] ?? 0) });
  }
  return matches;
}

function startPage(target: PdfSearchTarget, pages: number): number {
  if ('page' in target) return Math.max(1, Math.min(pages, target.page));
  return target.at === 'last' ? pages : 1;
}

/** Returns a function that extracts passages of a page. The offsets from pdf.js do not count line breaks. */
async function createPassageExtractor(
  document: PdfDocument,
  number: number,
): Promise<(at: number, length: number) => SearchPassage> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent({ disableNormalization: true });
  let text = '';
  let counted = 0;
  /** Offsets of the line breaks in the text, as pdf.js counts characters. */
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
    return { ...extractTextPassage(text, from, text.slice(from, inText(at + length, true))), page: number };
  };
}

/** Minimum distance in px between the element and the edges of its container. */
const MARGIN_PX = 48;

/** Scrolls a container, but not its ancestors, so that an element becomes visible. */
function scrollIntoContainerView(container: HTMLElement, element: Element): void {
  const view = container.getBoundingClientRect();
  const target = element.getBoundingClientRect();
  if (target.top < view.top + MARGIN_PX || target.bottom > view.bottom - MARGIN_PX)
    container.scrollTop += target.top - view.top - view.height / 3;
  if (target.left < view.left || target.right > view.right)
    container.scrollLeft += target.left - view.left - (view.width - target.width) / 2;
}
