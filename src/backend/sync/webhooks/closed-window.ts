import { hash } from 'node:crypto';
import type { ReadableDb } from '../../store/sqlite/connection.ts';
import { unitsNamed } from '../../store/sync/sync-marks.ts';
import { dropUnit, saveUnit } from '../../store/sync/sync-unit.ts';
import { areHeldSince } from '../../store/webhooks/webhook-places.ts';
import type { PageAsk } from '../shared/pages.ts';
import type { PageMark, PageMarks } from './page-fingerprints.ts';
import type { ReadPage, WebhookLog } from './webhook-log.ts';
import type { Window } from './window.ts';

/** A range of days that are over, both inclusive, as last read. */
export interface ClosedWindow extends PageMarks {
  since: string;
  until: string;
  rows: number;
}

const NAME = 'closed ';

/** Returns all stored closed windows in order. */
export function closedWindows({ context }: WebhookLog): ClosedWindow[] {
  return unitsNamed<ClosedWindow>(context.site.cache, 'webhooks', NAME);
}

/**
 * Saves the number of rows and the page fingerprints of a window that was read to its end. Must be called inside
 * `commit`.
 */
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

/** Returns the fingerprint of a page, or null if a row of it could not be read. */
export function markOf({ pieces, rows, ids, started_at }: ReadPage): PageMark | null {
  const [piece, ...others] = pieces.answers;
  const isWhole = others.length === 0 && pieces.lost.length === 0 && ids.length === rows;
  if (piece === undefined || !isWhole || piece.answer.problems.length > 0) return null;
  return { checksum: hash('sha256', JSON.stringify(piece.answer.items), 'base64'), read_at: started_at };
}

/** Adds a page's fingerprint. Returns null if the pages are no longer consecutive or of one size. */
export function withMark(
  { per_page, pages }: PageMarks,
  ask: PageAsk,
  mark: PageMark | null,
): PageMarks | null {
  const follows = ask.page === pages.length + 1 && (pages.length === 0 || ask.per_page === per_page);
  return follows ? { per_page: ask.per_page, pages: [...pages, mark] } : null;
}

/**
 * Returns true if a page is unchanged since it was last read and its stored rows are no newer. Nothing then needs to be
 * stored or compared.
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
