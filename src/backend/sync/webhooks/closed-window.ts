import { hash } from 'node:crypto';
import type { ReadableDb } from '../../store/sqlite/connection.ts';
import { listCheckpointsByPrefix } from '../../store/sync/sync-checkpoints.ts';
import { removeUnit, saveUnit } from '../../store/sync/sync-unit.ts';
import { areStoredSince } from '../../store/webhooks/webhook-lookups.ts';
import type { PageRequest } from '../shared/page-parts.ts';
import type { WebhookLog, WebhookPage } from './webhook-log.ts';
import type { PageFingerprint, PageFingerprints, WebhookWindow } from './webhook-window.ts';

/** Range of days, both inclusive, that are over in every time zone, with the fingerprints of its pages. */
export interface ClosedWindow extends PageFingerprints {
  since: string;
  until: string;
  rows: number;
}

const UNIT_PREFIX = 'closed ';

/** Returns all stored closed windows in order of their first day. */
export function listClosedWindows({ context }: WebhookLog): ClosedWindow[] {
  return listCheckpointsByPrefix<ClosedWindow>(context.site.cache, 'webhooks', UNIT_PREFIX);
}

/** Saves the row count and the page fingerprints of a window that was read to its end. Must be called in a transaction. */
export function saveClosedWindow(
  { context }: WebhookLog,
  { since, until, rows, marks }: WebhookWindow,
): void {
  const unit = `${UNIT_PREFIX}${since}`;
  const { cache } = context.site;
  if (since === null || until === null || !marks) {
    removeUnit(cache, 'webhooks', unit);
    return;
  }
  const checkpoint: ClosedWindow = { since, until, rows, ...marks };
  saveUnit(cache, 'webhooks', { unit, state: 'done', checkpoint, updated_at: context.now() });
}

export function deleteClosedWindow({ context }: WebhookLog, { since }: ClosedWindow): void {
  removeUnit(context.site.cache, 'webhooks', `${UNIT_PREFIX}${since}`);
}

/** Returns a page's fingerprint, or null if a row of the page could not be read. */
export function fingerprintPage({ pieces, rows, ids, started_at }: WebhookPage): PageFingerprint | null {
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

/** Returns true if a page need not be stored: its rows are the same as before, and none was stored again since. */
export function isPageUnchanged(
  cache: ReadableDb,
  known: PageFingerprints | undefined,
  page: { ask: PageRequest; mark: PageFingerprint | null; ids: readonly number[] },
): boolean {
  const { ask, mark, ids } = page;
  if (known?.per_page !== ask.per_page || mark === null) return false;
  const before = known.pages[ask.page - 1];
  return before?.checksum === mark.checksum && areStoredSince(cache, ids, before.read_at);
}
