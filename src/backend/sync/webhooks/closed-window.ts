import { hash } from 'node:crypto';
import type { ReadableDb } from '../../store/sqlite/connection.ts';
import { unitsNamed } from '../../store/sync/sync-marks.ts';
import { dropUnit, saveUnit } from '../../store/sync/sync-unit.ts';
import { areHeldSince } from '../../store/webhooks/webhook-places.ts';
import type { PageRequest } from '../shared/page-parts.ts';
import type { PageFingerprint, PageFingerprints } from './page-fingerprints.ts';
import type { WebhookLog, WebhookPage } from './webhook-log.ts';
import type { WebhookWindow } from './webhook-window.ts';

/**
 * Range of days that are over in every time zone, with the fingerprints of its pages when last read. Both days are
 * inclusive.
 */
export interface ClosedWindow extends PageFingerprints {
  since: string;
  until: string;
  rows: number;
}

const UNIT_PREFIX = 'closed ';

/** Returns all stored closed windows in order of their first day. */
export function listClosedWindows({ context }: WebhookLog): ClosedWindow[] {
  return unitsNamed<ClosedWindow>(context.site.cache, 'webhooks', UNIT_PREFIX);
}

/** Saves the row count and the page fingerprints of a window that was read to its end. Must be called inside `commit`. */
export function saveClosedWindow(
  { context }: WebhookLog,
  { since, until, rows, marks }: WebhookWindow,
): void {
  const unit = `${UNIT_PREFIX}${since}`;
  const { cache } = context.site;
  if (since === null || until === null || !marks) {
    dropUnit(cache, 'webhooks', unit);
    return;
  }
  const checkpoint: ClosedWindow = { since, until, rows, ...marks };
  saveUnit(cache, 'webhooks', { unit, state: 'done', checkpoint, updated_at: context.now() });
}

export function deleteClosedWindow({ context }: WebhookLog, { since }: ClosedWindow): void {
  dropUnit(context.site.cache, 'webhooks', `${UNIT_PREFIX}${since}`);
}

/** Returns a page's fingerprint, or null if a row of the page could not be read. */
export function fingerprintOfPage({ pieces, rows, ids, started_at }: WebhookPage): PageFingerprint | null {
  const [piece, ...others] = pieces.answers;
  const isComplete = others.length === 0 && pieces.poisonRows.length === 0 && ids.length === rows;
  if (piece === undefined || !isComplete || piece.answer.problems.length > 0) return null;
  return { checksum: hash('sha256', JSON.stringify(piece.answer.items), 'base64'), read_at: started_at };
}

/** Appends a page's fingerprint. Returns null if the page does not follow the previous one or has another size. */
export function appendFingerprint(
  { per_page, pages }: PageFingerprints,
  ask: PageRequest,
  mark: PageFingerprint | null,
): PageFingerprints | null {
  const isNextPage = ask.page === pages.length + 1 && (pages.length === 0 || ask.per_page === per_page);
  return isNextPage ? { per_page: ask.per_page, pages: [...pages, mark] } : null;
}

/**
 * Returns true if a page has the same rows as when it was last read, and none was stored again since. The page then does
 * not need to be stored.
 */
export function isPageUnchanged(
  cache: ReadableDb,
  known: PageFingerprints | undefined,
  ask: PageRequest,
  mark: PageFingerprint | null,
  ids: readonly number[],
): boolean {
  if (known?.per_page !== ask.per_page || mark === null) return false;
  const before = known.pages[ask.page - 1];
  return before?.checksum === mark.checksum && areHeldSince(cache, ids, before.read_at);
}
