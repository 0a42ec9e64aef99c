import type { EventBus, PDFFindController, PDFViewer } from 'pdfjs-dist/web/pdf_viewer.mjs';
import { type Passage, passageAt } from '../../domain/documents/index.ts';
import type { PdfDocument } from './document.ts';
import type { Arrival, Finding } from './finding.ts';
import { bringIntoView } from './into-view.ts';

/** Which match is in front, of how many. */
export interface Match {
  /** What was sought. */
  readonly sought: string;
  readonly at: number;
  readonly of: number;
  /** Whether all pages have been looked at. */
  readonly whole: boolean;
}

/** A place in this document that says what is sought. */
export interface Hit {
  /** From 1. */
  readonly page: number;
  /** Its place among those of the page, from 0. */
  readonly place: number;
  readonly passage: Passage;
}

export type Sought = Pick<Finding, 'words' | 'matchCase' | 'wholeWord'>;
export type Way = 'new' | 'next' | 'previous';

export interface Finder {
  /** Seeks anew, from the page in front on or from where it says; or goes on. */
  find(sought: Sought, way: Way, arrival?: Arrival | null): void;
  /** Brings a match to the front. */
  show(hit: Pick<Hit, 'page' | 'place'>): void;
  clear(): void;
  /** The first places, with the words around them. */
  hits(most: number): Promise<Hit[]>;
}

interface Within {
  readonly document: PdfDocument;
  readonly viewer: PDFViewer;
  readonly controller: PDFFindController;
  readonly eventBus: EventBus;
  tell(match: Match | null): void;
}

/** Seeking in one document, by pdf.js's own find. */
export function finderOf({ document, viewer, controller, eventBus, tell }: Within): Finder {
  let last: Sought | null = null;
  // Going on goes on from the last match, also where the reader has scrolled away from it.
  controller.onIsPageVisible = () => true;
  // pdf.js's own way would scroll the window along.
  controller.scrollMatchIntoView = ({ element, pageIndex, matchIndex }) => {
    const { pageIdx, matchIdx } = controller.selected ?? {};
    if (!controller._scrollMatches || pageIndex !== pageIdx || matchIndex !== matchIdx) return;
    controller._scrollMatches = false;
    bringIntoView(viewer.container, element);
  };
  const count = ({ matchesCount }: { matchesCount: { current: number; total: number } }) => {
    if (last === null) return;
    const whole = controller._pendingFindMatches?.size === 0;
    tell({ sought: JSON.stringify(last), at: matchesCount.current, of: matchesCount.total, whole });
  };
  eventBus.on('updatefindmatchescount', count);
  eventBus.on('updatefindcontrolstate', count);

  function dispatch(sought: Sought, again: boolean, backwards: boolean): void {
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
    tell(null);
  }

  return {
    clear,
    find(sought, way, arrival = null) {
      if (sought.words.trim() === '') return clear();
      const { words, matchCase, wholeWord } = sought;
      last = { words, matchCase, wholeWord };
      if (way !== 'new') return dispatch(sought, true, way === 'previous');
      if (arrival !== null) viewer.currentPageNumber = pageOf(arrival, document.numPages);
      // Backwards from the last page, the last match is met first.
      dispatch(sought, false, arrival !== null && 'at' in arrival && arrival.at === 'last');
    },
    show({ page, place }) {
      if (last === null) return;
      const before = { pageIdx: page - 1, matchIdx: place === 0 ? null : place - 1, wrapped: false };
      // Going on from right before it: pdf.js has no other way to a certain match.
      Object.assign(controller, { _offset: before });
      dispatch(last, true, false);
    },
    async hits(most) {
      const hits: Hit[] = [];
      const pages = controller.pageMatches ?? [];
      const lengths = controller.pageMatchesLength ?? [];
      for (let index = 0; index < pages.length && hits.length < most; index += 1) {
        const places: readonly number[] = pages[index] ?? [];
        if (places.length === 0) continue;
        const said = await textOf(document, index + 1);
        for (const [place, at] of places.entries()) {
          if (hits.length === most) break;
          hits.push({ page: index + 1, place, passage: said(at, lengths[index]?.[place] ?? 0) });
        }
      }
      return hits;
    },
  };
}

function pageOf(arrival: Arrival, pages: number): number {
  if ('page' in arrival) return Math.max(1, Math.min(pages, arrival.page));
  return arrival.at === 'last' ? pages : 1;
}

/** The passages of a page by the places pdf.js counts, which leave line ends out. */
async function textOf(
  document: PdfDocument,
  number: number,
): Promise<(at: number, length: number) => Passage> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent({ disableNormalization: true });
  let text = '';
  let counted = 0;
  /** Where lines end, by pdf.js's count. */
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
    return { ...passageAt(text, from, text.slice(from, inText(at + length, true))), page: number };
  };
}
