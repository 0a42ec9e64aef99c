import { hash } from 'node:crypto';
import type { ReadableDb } from '../store/database.ts';
import { unitsNamed } from '../store/sync/sync-marks.ts';
import { dropUnit, saveUnit } from '../store/sync/sync-unit.ts';
import { areHeldSince } from '../store/webhooks/webhook-places.ts';
import type { PageAsk } from './pages.ts';
import type { ReadPage, WebhookLog } from './webhook-log.ts';
import type { Window } from './window.ts';

/** What a page was like when it was read: a checksum of all its rows say, and when its request began, ms UTC. */
export interface PageMark {
  checksum: string;
  read_at: number;
}

/** The marks of a window's pages, all of one size; null for a page that was not read whole. */
export interface PageMarks {
  per_page: number;
  pages: (PageMark | null)[];
}

/** Days of the log that are over, both included, as they were when they were last read. */
export interface ClosedWindow extends PageMarks {
  since: string;
  until: string;
  rows: number;
}

const NAME = 'closed ';

/** All that are kept, in order. */
export function closedWindows({ context }: WebhookLog): ClosedWindow[] {
  return unitsNamed<ClosedWindow>(context.site.cache, 'webhooks', NAME);
}

/** Keeps how many rows a window read to its end has, and what its pages were like. To be called inside `commit`. */
export function saveClosed({ context }: WebhookLog, { since, until, rows, marks }: Window): void {
  const unit = `${NAME}${since}`;
  const { cache } = context.site;
  if (since === null || until === null || !marks) {
    dropUnit(cache, 'webhooks', unit);
    return;
  }
  const checkpoint: ClosedWindow = { since, until, rows, ...marks };
  saveUnit(cache, 'webhooks', { unit, state: 'done', checkpoint, updated_at: context.now() });
}

export function dropClosed({ context }: WebhookLog, { since }: ClosedWindow): void {
  dropUnit(context.site.cache, 'webhooks', `${NAME}${since}`);
}

/** The mark of a page; null where not every row of it could be read. */
export function markOf({ pieces, rows, ids, started_at }: ReadPage): PageMark | null {
  const [piece, ...others] = pieces.answers;
  const isWhole = others.length === 0 && pieces.lost.length === 0 && ids.length === rows;
  if (piece === undefined || !isWhole || piece.answer.problems.length > 0) return null;
  return { checksum: hash('sha256', JSON.stringify(piece.answer.items), 'base64'), read_at: started_at };
}

/** The marks once a page was read; null where pages no longer follow one another in one size. */
export function withMark(
  { per_page, pages }: PageMarks,
  ask: PageAsk,
  mark: PageMark | null,
): PageMarks | null {
  const follows = ask.page === pages.length + 1 && (pages.length === 0 || ask.per_page === per_page);
  return follows ? { per_page: ask.per_page, pages: [...pages, mark] } : null;
}

/**
 * Whether a page is as it was when it was last read, and what is held of its rows is no later: then there is nothing to store,
 * nor to compare.
 */
export function isAsItWas(
  cache: ReadableDb,
  known: PageMarks | undefined,
  ask: PageAsk,
  mark: PageMark | null,
  ids: readonly number[],
): boolean {
  if (known?.per_page !== ask.per_page || mark === null) return false;
  const before = known.pages[ask.page - 1];
  return before?.checksum === mark.checksum && areHeldSince(cache, ids, before.read_at);
}
