import { describe, expect, it } from 'vitest';
import { addAuditEntry } from '../../../src/backend/store/audit-log/audit-log.ts';
import { interruptJobs, type StoredJob, saveJob } from '../../../src/backend/store/jobs/job.ts';
import { getJob, listJobs } from '../../../src/backend/store/jobs/job-list.ts';
import {
  addReplayItems,
  addReplayPlan,
  addReplayPlanItem,
  deferForeignKeys,
  findActiveReplay,
  listReplayBatchesInState,
  listReplayItemsByOutcome,
  type StoredReplay,
  type StoredReplayPlan,
  type StoredReplayPlanItem,
  saveReplay,
  saveReplayBatch,
  saveReplayItem,
} from '../../../src/backend/store/replay/replay.ts';
import {
  getReplay,
  getReplayPlan,
  listReplayItems,
  listReplayPlans,
  listReplays,
  readReplayItemPageCursors,
} from '../../../src/backend/store/replay/replay-list.ts';
import { runInTransaction } from '../../../src/backend/store/sqlite/connection.ts';
import { upsertWebhooks } from '../../../src/backend/store/webhooks/webhook.ts';
import { getWebhookDetail } from '../../../src/backend/store/webhooks/webhook-detail.ts';
import { readAllPages } from './read-all-pages.ts';
import { createWebhook } from './sample-records.ts';
import { openTemporaryStore } from './temporary-store.ts';

const job = (id: string, over: Partial<StoredJob> = {}): StoredJob => ({
  id,
  kind: 'sync',
  state: 'done',
  started_at: 1000,
  ended_at: 2000,
  progress: [{ part: 'webhooks', done: 5, total: null, failed: 0, current: null }],
  rate: null,
  remaining_ms: null,
  summary: 'Nothing had changed.',
  error: null,
  ...over,
});

describe('stored jobs', () => {
  it('are listed running first, then newest first; jobs of a crashed process become interrupted', () => {
    const books = openTemporaryStore('books');
    saveJob(books, job('a', { started_at: 1 }));
    saveJob(
      books,
      job('b', {
        started_at: 2,
        state: 'failed',
        error: { code: 'network', message: 'No network.', retryable: true },
      }),
    );
    saveJob(
      books,
      job('c', { started_at: 0, state: 'running', ended_at: null, rate: 2.5, remaining_ms: 10 }),
    );
    const ids = (limit = 9) => listJobs(books, 'acme', limit).map((each) => each.id);
    expect([ids(), ids(2)]).toEqual([
      ['c', 'b', 'a'],
      ['c', 'b'],
    ]);
    expect(getJob(books, 'acme', 'b')).toMatchObject({
      site: 'acme',
      error: { code: 'network' },
      started_at: '1970-01-01T00:00:00.002Z',
    });
    expect(getJob(books, 'acme', 'z')).toBeNull();
    expect(interruptJobs(books, 50)).toEqual(['c']);
    expect(getJob(books, 'acme', 'c')).toMatchObject({
      state: 'interrupted',
      rate: null,
      ended_at: '1970-01-01T00:00:00.050Z',
    });
  });
});

const planned = (webhook_id: number): StoredReplayPlanItem => ({
  webhook_id,
  event: 'payment_success',
  created_at: webhook_id,
  subscription_id: 7,
  superseded_by: null,
  successful: false,
  accepted_at: null,
  last_sent_at: '2026-01-10T07:00:00-05:00',
  last_error_at: null,
  last_error: '503',
});
const plan = (id: string): StoredReplayPlan => ({
  id,
  created_at: 5,
  description: 'failed on 10 January',
  count: 3,
  ids_sha256: 'ab',
  summary: {
    oldest_at: null,
    newest_at: null,
    by_event: [{ event: 'payment_success', count: 3 }],
    by_error: [],
    by_day: [],
    by_url: [],
    excluded: { accepted: 0, unknown: 0, retrying: 0, unreadable: 0, unverified: 0 },
    rates: [],
    superseded: 0,
    largest_subscription: 1,
    retrying: 0,
    retrying_until: null,
    expected_requests: 2,
    expected: null,
  },
  endpoint: null,
  address: null,
});
const replay = (over: Partial<StoredReplay> = {}): StoredReplay => ({
  job: 'r',
  plan: 'p',
  mode: 'safe',
  batch_size: 100,
  rate: null,
  ordered: 0,
  state: 'running',
  reason: null,
  paused_by: null,
  step: 'canary',
  started_at: 10,
  ended_at: null,
  requests_total: 0,
  requests_minimum: 2,
  connections: null,
  live: null,
  counts: null,
  ...over,
});

describe('stored replay', () => {
  function planned3() {
    const books = openTemporaryStore('books');
    runInTransaction(books, () => {
      deferForeignKeys(books);
      [3, 1, 2].forEach((id, ordinal) => {
        addReplayPlanItem(books, 'p', ordinal, planned(id));
      });
      addReplayPlan(books, plan('p'));
    });
    return books;
  }

  it('has an immutable plan in the order of sending', () => {
    const books = planned3();
    const ids = books.prepare('SELECT webhook_id FROM replay_plan_item ORDER BY ordinal').pluck().all();
    expect(ids).toEqual([3, 1, 2]);
    expect(() => books.exec("UPDATE replay_plan SET description = 'other'")).toThrow(/cannot be changed/);
    expect(getReplayPlan(books, 'acme', 'p')).toMatchObject({
      plan: 'p',
      site: 'acme',
      count: 3,
      by_event: [{ count: 3 }],
    });
    expect(listReplayPlans(books, 'acme').length).toBe(1);
    expect(getReplayPlan(books, 'acme', 'q')).toBeNull();
  });

  it('runs alone on a site and records each batch and webhook', () => {
    const books = planned3();
    saveReplay(books, replay());
    runInTransaction(books, () => addReplayItems(books, 'r', 'p'));
    expect(() => saveReplay(books, replay({ job: 's' }))).toThrow(/UNIQUE/);
    expect(findActiveReplay(books)?.job).toBe('r');

    saveReplayBatch(books, {
      job: 'r',
      batch: 0,
      step: 'canary',
      state: 'posting',
      t0: 7,
      posted_at: null,
      ids: [3],
      error: null,
    });
    expect(listReplayBatchesInState(books, 'r', 'posting')).toMatchObject([{ ids: [3], t0: 7 }]);
    const [first] = listReplayItemsByOutcome(books, 'r', ['waiting']);
    expect(first).toMatchObject({
      webhook_id: 3,
      ordinal: 0,
      before: { successful: false, last_error: '503', accepted_at: null },
    });
    saveReplayItem(books, { ...first!, outcome: 'accepted', batch: 0, sent_at: 8, resolved_at: 9 });
    saveReplay(books, replay({ state: 'done', ended_at: 20, step: 'full', requests_total: 4 }));
    expect(findActiveReplay(books)).toBeNull();
    saveReplay(books, replay({ job: 's', started_at: 30 }));

    expect(getReplay(books, 'acme', 'r')).toEqual({
      job: 'r',
      site: 'acme',
      endpoint: null,
      connections: null,
      plan: 'p',
      description: 'failed on 10 January',
      state: 'done',
      reason: null,
      paused_by: null,
      mode: 'safe',
      batch_size: 100,
      rate: null,
      ordered: false,
      started_at: '1970-01-01T00:00:00.010Z',
      ended_at: '1970-01-01T00:00:00.020Z',
      step: 'full',
      counts: { waiting: 2, sending: 0, queued: 0, accepted: 1, failed: 0, refused: 0, unresolved: 0 },
      in_flight: 0,
      live: null,
      requests: { total: 4, minimum: 2 },
    });
    expect(listReplays(books, 'acme').map((each) => each.job)).toEqual(['s', 'r']);
    const items = (outcome?: ('waiting' | 'accepted')[]) =>
      readAllPages((page) => listReplayItems(books, { job: 'r', outcome, ...page }), 1).rows.map((item) => [
        item.id,
        item.outcome,
      ]);
    expect(items()).toEqual([
      [3, 'accepted'],
      [1, 'waiting'],
      [2, 'waiting'],
    ]);
    expect(items(['accepted', 'waiting'])).toEqual(items());
    expect(items(['waiting'])).toEqual([
      [1, 'waiting'],
      [2, 'waiting'],
    ]);
    expect(items([])).toEqual([]);
    for (const outcome of [undefined, ['waiting' as const], ['accepted' as const, 'waiting' as const], []]) {
      const { total, marks } = readReplayItemPageCursors(books, { job: 'r', outcome, every: 1 });
      expect(total).toBe(items(outcome).length);
      const found = marks.slice(0, total).map((mark) => {
        const [row] = listReplayItems(books, { job: 'r', outcome, after: mark ?? undefined, limit: 1 }).rows;
        return [row?.id, row?.outcome];
      });
      expect(found).toEqual(items(outcome));
    }
  });

  it('is shown on each resent webhook', () => {
    const books = planned3();
    const cache = openTemporaryStore('cache');
    upsertWebhooks(
      cache,
      [createWebhook({ id: 3, body: { a: [1, { b: null }] }, extra: { later: true } })],
      99,
    );
    saveReplay(books, replay({ state: 'done' }));
    runInTransaction(books, () => addReplayItems(books, 'r', 'p'));
    const detail = getWebhookDetail(cache, books, 3)!;
    expect(detail.replays).toEqual([{ job: 'r', outcome: 'waiting', sent_at: null }]);
    expect(detail.fields).toEqual([
      { key: 'a.0', value: '1' },
      { key: 'a.1.b', value: '' },
    ]);
    expect(detail).toMatchObject({
      body: '{"a":[1,{"b":null}]}',
      body_form: 'object',
      extra: { later: true },
      synced_at: '1970-01-01T00:00:00.099Z',
    });
    expect(getWebhookDetail(cache, books, 4)).toBeNull();
  });
});

describe('audit log', () => {
  it('is append-only, each entry with the hash of the previous one', () => {
    const books = openTemporaryStore('books');
    for (const at of [1, 2, 3]) {
      addAuditEntry(books, { at, user: 'ada', action: 'replay.run', subject: 'r', detail: { at } });
    }
    const rows = books.prepare('SELECT previous_hash, hash FROM audit ORDER BY seq').all() as {
      previous_hash: string;
      hash: string;
    }[];
    expect(rows.map((row) => row.previous_hash)).toEqual(['0'.repeat(64), rows[0]!.hash, rows[1]!.hash]);
    expect(() => books.exec('DELETE FROM audit')).toThrow(/append-only/);
    expect(() => books.exec('UPDATE audit SET at = 0')).toThrow(/append-only/);
  });
});
