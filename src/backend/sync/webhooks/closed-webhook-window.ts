import { hash } from 'node:crypto';
import type { ReadableDb } from '../../store/sqlite/connection.ts';
import { listSyncCheckpointsByPrefix } from '../../store/sync/sync-checkpoints.ts';
import { removeSyncUnit, saveSyncUnit } from '../../store/sync/sync-unit.ts';
import { areWebhooksReadAtOrBefore } from '../../store/webhooks/webhook-lookups.ts';
import type { ListPageRequest } from '../shared/read-page-in-parts.ts';
import type { WebhookLog, WebhookPage } from './webhook-log.ts';
import type { PageFingerprint, WebhookWindow, WebhookWindowFingerprints } from './webhook-window.ts';

/** Range of days (inclusive) that are over in every time zone, with the fingerprints of its pages in the webhook log. */
export interface ClosedWebhookWindow extends WebhookWindowFingerprints {
  since: string;
  until: string;
  rows: number;
}

const UNIT_PREFIX = 'closed ';

/** Returns all stored closed windows in order of their first day. */
export function listClosedWebhookWindows({ context }: WebhookLog): ClosedWebhookWindow[] {
  return listSyncCheckpointsByPrefix<ClosedWebhookWindow>(context.site.cache, 'webhooks', UNIT_PREFIX);
}

/** Saves the row count and the page fingerprints of a window that was read to its end. Must be called in a transaction. */
export function saveClosedWebhookWindow(
  { context }: WebhookLog,
  { since, until, rows, marks }: WebhookWindow,
): void {
  const unit = `${UNIT_PREFIX}${since}`;
  const { cache } = context.site;
  if (since === null || until === null || !marks) {
    removeSyncUnit(cache, 'webhooks', unit);
    return;
  }
  const checkpoint: ClosedWebhookWindow = { since, until, rows, ...marks };
  saveSyncUnit(cache, 'webhooks', { unit, state: 'done', checkpoint, updated_at: context.now() });
}

export function deleteClosedWebhookWindow({ context }: WebhookLog, { since }: ClosedWebhookWindow): void {
  removeSyncUnit(context.site.cache, 'webhooks', `${UNIT_PREFIX}${since}`);
}

/** Returns the fingerprint of a page of the webhook log, or null if one of its rows could not be read. */
export function computeLogPageFingerprint({
  parts,
  rows,
  ids,
  started_at,
}: WebhookPage): PageFingerprint | null {
  const [piece, ...others] = parts.answers;
  const isComplete = others.length === 0 && parts.poisonRows.length === 0 && ids.length === rows;
  if (piece === undefined || !isComplete || piece.answer.problems.length > 0) return null;
  return { checksum: hash('sha256', JSON.stringify(piece.answer.items), 'base64'), read_at: started_at };
}

/**
 * Appends a page's fingerprint to a window's fingerprints. Returns null if the page does not follow the previous one or
 * has a different size.
 */
export function appendPageFingerprint(
  { per_page, pages }: WebhookWindowFingerprints,
  request: ListPageRequest,
  mark: PageFingerprint | null,
): WebhookWindowFingerprints | null {
  const follows = request.page === pages.length + 1 && (pages.length === 0 || request.per_page === per_page);
  return follows ? { per_page: request.per_page, pages: [...pages, mark] } : null;
}

/** Returns true if a page's rows have not changed since the fingerprint and were not stored again since. */
export function isLogPageUnchanged(
  cache: ReadableDb,
  known: WebhookWindowFingerprints | undefined,
  page: { request: ListPageRequest; mark: PageFingerprint | null; ids: readonly number[] },
): boolean {
  const { request, mark, ids } = page;
  if (known?.per_page !== request.per_page || mark === null) return false;
  const before = known.pages[request.page - 1];
  return before?.checksum === mark.checksum && areWebhooksReadAtOrBefore(cache, ids, before.read_at);
}
