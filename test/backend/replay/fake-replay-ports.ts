import type { ReplayPorts } from '../../../src/backend/replay/replay-engine.ts';
import { ReplayJournal } from '../../../src/backend/replay/replay-journal.ts';
import type { ReplayStatus } from '../../../src/backend/replay/replay-status.ts';
import {
  addReplayItems,
  addReplayPlan,
  addReplayPlanItem,
  type DeliveryFields,
  deferForeignKeys,
  saveReplay,
} from '../../../src/backend/store/replay/replay.ts';
import { runInTransaction, type WritableDb } from '../../../src/backend/store/sqlite/connection.ts';
import { BillingError } from '../../../src/billing/index.ts';

/** Result of a post: queued, answer lost after queuing, answer lost before queuing, refused, or a service error. */
export type PostFate = 'ok' | 'lost' | 'cut' | 'refuse' | 'fail';

export interface FakeReplayConditions {
  /** Number of webhooks in the plan. The webhook with ordinal n has id n + 1 and subscription n % lanes. */
  count: number;
  lanes?: number;
  /** Milliseconds that the service takes to deliver the nth posted webhook. */
  delay?: (nth: number) => number;
  /** Returns true if the endpoint accepts the nth delivered webhook at the given time (milliseconds since the start). */
  accepts?: (nth: number, at: number, id: number) => boolean;
  fate?: (nth: number, ids: readonly number[]) => PostFate;
  /** The service itself retries the webhooks up to this id for five minutes, then delivers those with an even id. */
  retriedCount?: number;
  /** Called with the time before each sleep, to simulate what the user does. */
  user?: (world: FakeReplay, at: number) => void;
}

export interface FakeReplay extends ReplayPorts {
  readonly startedAt: number;
  /** All deliveries in order. */
  readonly delivered: { id: number; at: number; accepted: boolean }[];
  readonly posts: number[][];
  readonly shown: ReplayStatus[];
  /** Maximum number of webhooks queued at the service at the same time. */
  maxQueued: number;
  pause(): void;
  resume(): void;
  journal: ReplayJournal;
}

const STARTED_AT = Date.UTC(2026, 9, 1);
const RETRIED_UNTIL = STARTED_AT + 300_000;
const text = (ms: number) => new Date(ms).toISOString();
const failedLong = { successful: false, accepted_at: null, last_sent_at: text(STARTED_AT - 3_600_000) };
const before: DeliveryFields = {
  ...failedLong,
  last_error_at: text(STARTED_AT - 3_600_000),
  last_error: '503',
};

/**
 * Creates a fake service with its log. Its clock advances only while the engine sleeps or sends requests, so that hours
 * pass instantly.
 */
export function createFakeReplay(
  books: WritableDb,
  job: string,
  conditions: FakeReplayConditions,
): FakeReplay {
  const {
    count,
    lanes = count,
    delay = () => 3000,
    accepts = () => true,
    fate = () => 'ok',
    retriedCount = 0,
    user,
  } = conditions;
  let now = STARTED_AT;
  let paused = false;
  let resumes = 0;
  const log = new Map<number, DeliveryFields>();
  let queue: { id: number; at: number }[] = [];

  function deliver(): void {
    const due = queue.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
    queue = queue.filter(({ at }) => at > now);
    for (const { id, at } of due) {
      const accepted = accepts(world.delivered.length, at - STARTED_AT, id);
      world.delivered.push({ id, at, accepted });
      log.set(id, {
        successful: accepted,
        accepted_at: accepted ? text(at) : null,
        last_sent_at: text(at),
        last_error_at: accepted ? null : text(at),
        last_error: accepted ? null : '503 Service Unavailable',
      });
    }
  }

  function advanceClock(ms: number): void {
    const was = now;
    now += Math.ceil(ms);
    deliver();
    if (was >= RETRIED_UNTIL || now < RETRIED_UNTIL) return;
    for (let id = 2; id <= retriedCount; id += 2) {
      const last_sent_at = text(RETRIED_UNTIL);
      log.set(id, { ...before, successful: true, accepted_at: last_sent_at, last_sent_at, last_error: null });
    }
  }

  runInTransaction(books, () => {
    deferForeignKeys(books);
    for (let n = 0; n < count; n++) {
      const item = {
        webhook_id: n + 1,
        event: 'payment_success',
        created_at: n,
        subscription_id: n % lanes,
        superseded_by: null,
      };
      addReplayPlanItem(books, job, n, { ...item, ...before });
    }
    addReplayPlan(books, {
      id: job,
      created_at: 0,
      description: '',
      count,
      ids_sha256: '',
      summary: {} as never,
      endpoint: null,
      address: null,
    });
    saveReplay(books, {
      job,
      plan: job,
      mode: 'safe',
      batch_size: 100,
      rate: null,
      ordered: 0,
      state: 'interrupted',
      reason: null,
      paused_by: null,
      step: 'canary',
      started_at: 0,
      ended_at: 0,
      requests_total: 0,
      requests_minimum: 0,
      connections: null,
      live: null,
      counts: null,
    });
    addReplayItems(books, job, job);
  });

  const world: FakeReplay = {
    startedAt: STARTED_AT,
    journal: new ReplayJournal(books, job),
    delivered: [],
    posts: [],
    shown: [],
    maxQueued: 0,
    signal: new AbortController().signal,
    delayScale: 1,
    now: () => now,
    serviceNow: () => now,
    retriedByService: (ids) =>
      new Map(ids.filter((id) => id <= retriedCount && now < RETRIED_UNTIL).map((id) => [id, RETRIED_UNTIL])),
    storedStates: (ids) => new Map(ids.map((id) => [id, log.get(id) ?? before])),
    async post(ids) {
      advanceClock(50);
      const how = fate(world.posts.length, ids);
      world.posts.push([...ids]);
      if (how === 'fail') throw new BillingError('service', 'The service failed.', { status: 503 });
      if (how === 'refuse') throw new BillingError('validation', 'The service refuses it.');
      if (how !== 'cut') {
        const first = world.delivered.length + queue.length;
        for (const [at, id] of ids.entries()) queue.push({ id, at: now + delay(first + at) });
        world.maxQueued = Math.max(world.maxQueued, queue.length);
      }
      if (how !== 'ok') throw new BillingError('network', 'The answer was lost.', { outcome_unknown: true });
    },
    async fetchDeliveryStates(ids) {
      advanceClock(50);
      return new Map(ids.map((id) => [id, log.get(id) ?? before]));
    },
    async sleep(ms) {
      user?.(world, now - STARTED_AT);
      advanceClock(Math.max(1, ms));
    },
    isPaused: () => paused,
    resumeCount: () => resumes,
    publishStatus: (standing) => void world.shown.push(standing),
    pause() {
      paused = true;
    },
    resume() {
      paused = false;
      resumes++;
    },
  };
  return world;
}
