import { expect, test } from 'vitest';
import { upsertStatements } from '../../../../src/backend/store/statements/statement.ts';
import { findServiceTimeZone } from '../../../../src/backend/store/sync/service-time-zone.ts';
import { upsertWebhooks } from '../../../../src/backend/store/webhooks/webhook.ts';
import { createStatement, createWebhook } from '../sample-records.ts';
import { openTemporaryStore } from '../temporary-store.ts';

test('the zone of the service’s times is inferred from webhooks of all seasons', () => {
  const db = openTemporaryStore('cache');
  expect(findServiceTimeZone(db)).toBeNull();
  upsertWebhooks(db, [createWebhook({ id: 1, created_at: '2026-07-14T22:10:00-07:00' })], 1);
  expect(findServiceTimeZone(db)).toBe('America/Los_Angeles');
  upsertWebhooks(db, [createWebhook({ id: 2, created_at: '2026-01-14T22:10:00-07:00' })], 1);
  expect(['America/Los_Angeles', 'America/Denver']).not.toContain(findServiceTimeZone(db));
});

test('a site without webhooks has the zone of its statements', () => {
  const db = openTemporaryStore('cache');
  upsertStatements(db, [createStatement({ id: 5, closed_at: '2026-02-03T23:10:00+11:00' })], 1);
  expect(findServiceTimeZone(db)).toBe('Australia/Sydney');
});
