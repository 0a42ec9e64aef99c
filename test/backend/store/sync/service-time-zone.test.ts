import { expect, onTestFinished, test, vi } from 'vitest';
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

test('the zone is searched once per open cache, and again if it does not fit newer records', () => {
  const db = openTemporaryStore('cache');
  const search = vi.spyOn(Intl, 'supportedValuesOf');
  onTestFinished(() => void search.mockRestore());
  const add = (id: number, created_at: string) => upsertWebhooks(db, [createWebhook({ id, created_at })], 1);
  add(1, '2026-03-02T09:00:00+05:45');
  const zones = ['2026-03-02', '2026-03-09', '2026-05-02', '2026-07-02'].map((day, index) => {
    add(index + 2, `${day}T10:00:00+05:45`);
    return findServiceTimeZone(db);
  });
  expect(new Set(zones)).toEqual(new Set(['Asia/Katmandu']));
  expect(search).toHaveBeenCalledTimes(1);
  add(9, '2026-09-02T10:00:00+07:00');
  expect([findServiceTimeZone(db), findServiceTimeZone(db)]).toEqual(['+07:00', '+07:00']);
  expect(search).toHaveBeenCalledTimes(2);
});
