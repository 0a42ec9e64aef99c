import { describe, expect, it } from 'vitest';
import { upsertAllocations } from '../../../../src/backend/store/allocations/allocation.ts';
import {
  recordSubscriptionComponent,
  setHistoryState,
} from '../../../../src/backend/store/allocations/subscription-component.ts';
import { saveJob } from '../../../../src/backend/store/jobs/job.ts';
import { upsertStatements } from '../../../../src/backend/store/statements/statement.ts';
import {
  addKnownStatements,
  markVanishedStatements,
} from '../../../../src/backend/store/statements/statement-known.ts';
import { keepProblem } from '../../../../src/backend/store/sync/problem.ts';
import { interruptRuns, type StoredRun, saveRun } from '../../../../src/backend/store/sync/sync-run.ts';
import { listRuns, syncRun, syncStatus } from '../../../../src/backend/store/sync/sync-status.ts';
import {
  dropUnit,
  partState,
  savePart,
  saveUnit,
  unitsOf,
} from '../../../../src/backend/store/sync/sync-unit.ts';
import { upsertWebhooks } from '../../../../src/backend/store/webhooks/webhook.ts';
import { allocation, sent, statement, T0, webhook } from '../rows.ts';
import { temporaryStore } from '../temporary.ts';

const run = (over: Partial<StoredRun> = {}): StoredRun => ({
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

describe('the status of a site', () => {
  it('is empty and not complete before the first sync', () => {
    const status = syncStatus(temporaryStore('cache'), temporaryStore('books'), 'acme', () => true);
    expect(status).toMatchObject({ site: 'acme', complete: false, last: null, running: null });
    expect(status.parts.map((part) => [part.part, part.stored, part.newest_at, part.complete])).toEqual([
      ['webhooks', 0, null, false],
      ['statements', 0, null, false],
      ['allocations', 0, null, false],
      ['pdf', 0, null, false],
    ]);
  });

  it('tells what is held of each part, how fresh it is and what is missing', () => {
    const cache = temporaryStore('cache');
    const books = temporaryStore('books');
    const component = { subscription_id: 77, component_id: 9 };
    upsertWebhooks(cache, [webhook({ id: 1 }), webhook({ id: 2, created_at: sent(T0 + 9000) })], 1);
    upsertStatements(cache, [statement({ id: 1 }), statement({ id: 2, closed_at: sent(T0 + 99_000) })], 1);
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
    upsertAllocations(cache, component, [allocation()], 1);
    setHistoryState(cache, component, 'complete', 1);
    keepProblem(cache, {
      part: 'statements',
      location: 'statement 3',
      reason: 'no id',
      raw: null,
      seen_at: 1,
      job: 'b',
    });
    for (const part of ['webhooks', 'statements', 'allocations'] as const) {
      savePart(cache, part, {
        synced_at: 5,
        expected: null,
        complete: part !== 'statements',
        checkpoint: { page: 3 },
      });
    }
    saveRun(
      cache,
      run({
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

    const { parts, ...rest } = syncStatus(cache, books, 'acme', () => true);
    expect(rest).toEqual({
      site: 'acme',
      complete: false,
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
      ['webhooks', 2, null, sent(T0 + 9000), true, 0],
      ['statements', 2, 3, statement().closed_at, false, 1],
      // A history that is known of and not held yet, whatever the last sync came to.
      ['allocations', 1, 2, '2026-01-10T12:00:00Z', false, 0],
      ['pdf', 0, 2, null, false, 0],
    ]);
    saveRun(cache, run({ job: 'c', started_at: 9000, ended_at: null, state: 'running', complete: false }));
    expect(syncStatus(cache, books, 'acme', () => false)).toMatchObject({
      running: null,
      last: { ok: false, state: 'interrupted', error: null },
    });
    savePart(cache, 'statements', { synced_at: 6, expected: null, complete: true, checkpoint: null });
    expect(syncStatus(cache, books, 'acme', () => true).complete).toBe(false);
    setHistoryState(cache, { ...component, component_id: 8 }, 'complete', 1);
    markVanishedStatements(cache, [1, 2], 7);
    expect(syncStatus(cache, books, 'acme', () => true)).toMatchObject({
      complete: true,
      parts: [{}, { stored: 2, expected: 2, gone: 0 }, {}, {}],
    });
    markVanishedStatements(cache, [1], 8);
    expect(syncStatus(cache, books, 'acme', () => true)).toMatchObject({
      complete: true,
      parts: [{}, { stored: 2, expected: 2, gone: 1 }, {}, {}],
    });
    expect(partState(cache, 'webhooks')).toEqual({
      synced_at: 5,
      expected: null,
      complete: true,
      checkpoint: { page: 3 },
    });
  });
});

describe('the runs', () => {
  it('are listed newest first, each with its requests, rows and problems', () => {
    const cache = temporaryStore('cache');
    saveRun(cache, run({ ended_at: null, state: 'running', complete: false }));
    saveRun(cache, run());
    saveRun(cache, run({ job: 'b', started_at: 9000, ended_at: null, state: 'running' }));
    keepProblem(cache, {
      part: 'webhooks',
      location: 'webhooks[id=4]',
      reason: 'no id',
      raw: '{}',
      seen_at: 2000,
      job: 'a',
    });
    expect(listRuns(cache, 9).map((each) => each.job)).toEqual(['b', 'a']);
    expect(syncRun(cache, 'a')).toMatchObject({
      seconds: 2.5,
      complete: true,
      requests: { total: 5, minimum: 4, by_kind: { webhooks: 5 } },
      rows: { webhook: 7 },
      problems: [{ location: 'webhooks[id=4]', seen_at: '1970-01-01T00:00:02.000Z' }],
    });
    expect(syncRun(cache, 'z')).toBeNull();
    expect(interruptRuns(cache, 9500)).toBe(1);
    expect(syncRun(cache, 'b')).toMatchObject({ state: 'interrupted', seconds: 0.5 });
  });
});

describe('a checkpoint', () => {
  it('is kept by part and unit, and gone when dropped', () => {
    const cache = temporaryStore('cache');
    saveUnit(cache, 'webhooks', { unit: 'b', state: 'open', checkpoint: { next_page: 2 }, updated_at: 1 });
    saveUnit(cache, 'webhooks', { unit: 'a', state: 'open', checkpoint: { next_page: 1 }, updated_at: 1 });
    saveUnit(cache, 'webhooks', { unit: 'b', state: 'done', checkpoint: { next_page: 3 }, updated_at: 2 });
    saveUnit(cache, 'pdf', { unit: 'b', state: 'open', checkpoint: null, updated_at: 1 });
    expect(unitsOf(cache, 'webhooks').map((unit) => [unit.unit, unit.state, unit.checkpoint])).toEqual([
      ['a', 'open', { next_page: 1 }],
      ['b', 'done', { next_page: 3 }],
    ]);
    dropUnit(cache, 'webhooks', 'a');
    expect(unitsOf(cache, 'webhooks').length).toBe(1);
    expect(partState(cache, 'pdf')).toBeNull();
  });
});
