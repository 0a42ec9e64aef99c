import { expect, test } from 'vitest';
import { listSyncUnits, saveSyncUnit } from '../../../../src/backend/store/sync/sync-unit.ts';
import type { WebhookLog, WebhookPage } from '../../../../src/backend/sync/webhooks/webhook-log.ts';
import { WebhookPageBatch } from '../../../../src/backend/sync/webhooks/webhook-page-batch.ts';
import { openTemporaryStore } from '../../store/temporary-store.ts';

const page = (rows: number): WebhookPage => ({
  parts: { answers: [], poisonRows: [] },
  rows,
  datedRows: [],
  created: [],
  ids: [],
  started_at: 1,
  server_time: null,
  requestNumber: 1,
});

test('pages that could not be stored are stored before later pages', () => {
  const cache = openTemporaryStore('cache');
  let full = true;
  const store: WebhookLog['store'] = (_page, place, also) => {
    saveSyncUnit(cache, 'webhooks', { unit: place, state: 'done', checkpoint: null, updated_at: 1 });
    if (full && place === 'b') throw new Error('the disk is full');
    const stored = { ids: [], inserted: 0, changed: 0 };
    also?.(stored);
    return stored;
  };
  const held = () => listSyncUnits(cache, 'webhooks').map(({ unit }) => unit);
  const walked: string[] = [];
  const batch = new WebhookPageBatch(cache, store);

  batch.add(page(1), 'a', () => walked.push('a'));
  expect(() => batch.add(page(1_000_000), 'b', () => walked.push('b'))).toThrow('the disk is full');
  expect(held()).toEqual([]);

  // Another worker continues in the meantime. Its checkpoint must not be saved before the pages it depends on.
  full = false;
  batch.add(page(1), 'c', () => walked.push('c'));
  batch.flush();
  expect(held()).toEqual(['a', 'b', 'c']);
  expect(walked.slice(-3)).toEqual(['a', 'b', 'c']);
});
