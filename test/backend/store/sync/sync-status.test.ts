import { describe, expect, it } from 'vitest';
import { upsertAllocations } from '../../../../src/backend/store/allocations/allocation.ts';
import {
  recordSubscriptionComponent,
  setAllocationHistoryState,
} from '../../../../src/backend/store/allocations/subscription-component.ts';
import { saveJob } from '../../../../src/backend/store/jobs/job.ts';
import {
  addKnownStatements,
  markVanishedStatements,
} from '../../../../src/backend/store/statements/known-statements.ts';
import { upsertStatements } from '../../../../src/backend/store/statements/statement.ts';
import { saveSyncProblem } from '../../../../src/backend/store/sync/sync-problem.ts';
import {
  interruptSyncRuns,
  type StoredSyncRun,
  saveSyncRun,
} from '../../../../src/backend/store/sync/sync-run.ts';
import { getSyncRun, listSyncRuns, readSyncStatus } from '../../../../src/backend/store/sync/sync-status.ts';
import {
  listSyncUnits,
  readSyncPartState,
  removeSyncUnit,
  saveSyncPartState,
  saveSyncUnit,
} from '../../../../src/backend/store/sync/sync-unit.ts';
import { upsertWebhooks } from '../../../../src/backend/store/webhooks/webhook.ts';
import {
  createAllocation,
  createStatement,
  createWebhook,
  formatServiceTime,
  T0,
} from '../sample-records.ts';
import { openTemporaryStore } from '../temporary-store.ts';

const createRun = (over: Partial<StoredSyncRun> = {}): StoredSyncRun => ({
  job: 'a',
  started_at: 1000,
  ended_at: 3500,
  state: 'done',
  requests: { total: 5, minimum: 4, by_kind: { webhooks: 5 } },
  rows: { webhook: 7 },
  bytes: 100,
  complete: true,
  error: null,
  ...over,
});

const acme = { site: 'acme', service_details: null };

describe('status of a site', () => {
  it('is empty and incomplete before the first sync', () => {
    const getStatus = readSyncStatus(
      openTemporaryStore('cache'),
      openTemporaryStore('books'),
      acme,
      () => true,
    );
    expect(getStatus).toMatchObject({ site: 'acme', complete: false, last: null, running: null });
    expect(getStatus.parts.map((part) => [part.part, part.stored, part.newest_at, part.complete])).toEqual([
      ['webhooks', 0, null, false],
      ['statements', 0, null, false],
      ['allocations', 0, null, false],
      ['pdf', 0, null, false],
    ]);
  });

  it('shows for each part the stored records, how current they are and what is missing', () => {
    const cache = openTemporaryStore('cache');
    const books = openTemporaryStore('books');
    const component = { subscription_id: 77, component_id: 9 };
    upsertWebhooks(
      cache,
      [createWebhook({ id: 1 }), createWebhook({ id: 2, created_at: formatServiceTime(T0 + 9000) })],
      1,
    );
    upsertStatements(
      cache,
      [createStatement({ id: 1 }), createStatement({ id: 2, closed_at: formatServiceTime(T0 + 99_000) })],
      1,
    );
    addKnownStatements(cache, [1, 2, 3], 1);
    recordSubscriptionComponent(cache, {
      ...component,
      component_name: null,
      source: 'user',
      changed_hint_at: null,
    });
    recordSubscriptionComponent(cache, {
      ...component,
      component_id: 8,
      component_name: null,
      source: 'user',
      changed_hint_at: null,
    });
    upsertAllocations(cache, component, [createAllocation()], 1);
    setAllocationHistoryState(cache, component, 'complete', 1);
    saveSyncProblem(cache, {
      part: 'statements',
      location: 'statement 3',
      reason: 'no id',
      raw: null,
      seen_at: 1,
      job: 'b',
    });
    for (const part of ['webhooks', 'statements', 'allocations'] as const) {
      saveSyncPartState(cache, part, {
        synced_at: 5,
        expected: null,
        complete: part !== 'statements',
        checkpoint: { page: 3 },
      });
    }
    saveSyncRun(
      cache,
      createRun({
        job: 'b',
        state: 'failed',
        complete: false,
        error: { code: 'network', message: 'No network.', retryable: true },
      }),
    );
    saveJob(books, {
      id: 'c',
      kind: 'sync',
      state: 'running',
      started_at: 9,
      ended_at: null,
      progress: [],
      rate: null,
      remaining_ms: null,
      summary: null,
      error: null,
    });

    const { parts, ...otherParts } = readSyncStatus(cache, books, acme, () => true);
    expect(otherParts).toEqual({
      site: 'acme',
      complete: false,
      synced_at: '1970-01-01T00:00:00.005Z',
      last: {
        at: '1970-01-01T00:00:03.500Z',
        ok: false,
        state: 'failed',
        complete: false,
        error: { code: 'network', message: 'No network.', retryable: true },
      },
      running: 'c',
      set_aside: null,
    });
    expect(
      parts.map((part) => [
        part.part,
        part.stored,
        part.expected,
        part.newest_at,
        part.complete,
        part.problems,
      ]),
    ).toEqual([
      ['webhooks', 2, null, formatServiceTime(T0 + 9000), true, 0],
      ['statements', 2, 3, createStatement().closed_at, false, 1],
      // A known history that is not stored yet, regardless of the last sync's outcome.
      ['allocations', 1, 2, '2026-01-10T12:00:00Z', false, 0],
      ['pdf', 0, 2, null, false, 0],
    ]);
    saveSyncRun(
      cache,
      createRun({ job: 'c', started_at: 9000, ended_at: null, state: 'running', complete: false }),
    );
    expect(readSyncStatus(cache, books, acme, () => false)).toMatchObject({
      running: null,
      last: { ok: false, state: 'interrupted', error: null },
    });
    saveSyncPartState(cache, 'statements', {
      synced_at: 6,
      expected: null,
      complete: true,
      checkpoint: null,
    });
    expect(readSyncStatus(cache, books, acme, () => true).complete).toBe(false);
    setAllocationHistoryState(cache, { ...component, component_id: 8 }, 'complete', 1);
    markVanishedStatements(cache, [1, 2], 7);
    // One record is still unreadable.
    expect(readSyncStatus(cache, books, acme, () => true).complete).toBe(false);
    cache.exec('DELETE FROM problem');
    expect(readSyncStatus(cache, books, acme, () => true)).toMatchObject({
      complete: true,
      parts: [{}, { stored: 2, expected: 2, gone: 0 }, {}, {}],
    });
    markVanishedStatements(cache, [1], 8);
    expect(readSyncStatus(cache, books, acme, () => true)).toMatchObject({
      complete: true,
      parts: [{}, { stored: 2, expected: 2, gone: 1 }, {}, {}],
    });
    expect(readSyncPartState(cache, 'webhooks')).toEqual({
      synced_at: 5,
      expected: null,
      complete: true,
      checkpoint: { page: 3 },
    });
  });
});

describe('sync runs', () => {
  it('are listed newest first, each with its requests, rows and problems', () => {
    const cache = openTemporaryStore('cache');
    saveSyncRun(cache, createRun({ ended_at: null, state: 'running', complete: false }));
    saveSyncRun(cache, createRun());
    saveSyncRun(cache, createRun({ job: 'b', started_at: 9000, ended_at: null, state: 'running' }));
    saveSyncProblem(cache, {
      part: 'webhooks',
      location: 'webhooks[id=4]',
      reason: 'no id',
      raw: '{}',
      seen_at: 2000,
      job: 'a',
    });
    expect(listSyncRuns(cache, 9).map((each) => each.job)).toEqual(['b', 'a']);
    expect(getSyncRun(cache, 'a')).toMatchObject({
      seconds: 2.5,
      complete: true,
      requests: { total: 5, minimum: 4, by_kind: { webhooks: 5 } },
      rows: { webhook: 7 },
      problems: [{ location: 'webhooks[id=4]', seen_at: '1970-01-01T00:00:02.000Z' }],
    });
    expect(getSyncRun(cache, 'z')).toBeNull();
    expect(interruptSyncRuns(cache, 9500)).toBe(1);
    expect(getSyncRun(cache, 'b')).toMatchObject({ state: 'interrupted', seconds: 0.5 });
  });
});

describe('checkpoint', () => {
  it('is stored by part and unit until it is deleted', () => {
    const cache = openTemporaryStore('cache');
    saveSyncUnit(cache, 'webhooks', {
      unit: 'b',
      state: 'open',
      checkpoint: { next_page: 2 },
      updated_at: 1,
    });
    saveSyncUnit(cache, 'webhooks', {
      unit: 'a',
      state: 'open',
      checkpoint: { next_page: 1 },
      updated_at: 1,
    });
    saveSyncUnit(cache, 'webhooks', {
      unit: 'b',
      state: 'done',
      checkpoint: { next_page: 3 },
      updated_at: 2,
    });
    saveSyncUnit(cache, 'pdf', { unit: 'b', state: 'open', checkpoint: null, updated_at: 1 });
    expect(listSyncUnits(cache, 'webhooks').map((unit) => [unit.unit, unit.state, unit.checkpoint])).toEqual([
      ['a', 'open', { next_page: 1 }],
      ['b', 'done', { next_page: 3 }],
    ]);
    removeSyncUnit(cache, 'webhooks', 'a');
    expect(listSyncUnits(cache, 'webhooks').length).toBe(1);
    expect(readSyncPartState(cache, 'pdf')).toBeNull();
  });
});
