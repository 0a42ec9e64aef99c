import type {
  ReplayItem,
  ReplayJob,
  ReplayLive,
  ReplayOutcome,
  WebhookDetail,
} from '../../../src/contract/index.ts';

/** A replay in each of its states, to look at and to test words against. */
export type Pose =
  | 'canary'
  | 'step'
  | 'full'
  | 'last'
  | 'trouble'
  | 'paused'
  | 'breaker'
  | 'key'
  | 'done'
  | 'failures'
  | 'stopped'
  | 'canceled'
  | 'interrupted';

const none: Record<ReplayOutcome, number> = {
  waiting: 0,
  sending: 0,
  queued: 0,
  accepted: 0,
  failed: 0,
  refused: 0,
  unresolved: 0,
};

const later = (ms: number) => new Date(Date.now() + ms).toISOString();

function live(part: Partial<ReplayLive> = {}, breaker: Partial<ReplayLive['breaker']> = {}): ReplayLive {
  return {
    at: later(0),
    window: 24,
    unresolved: 0,
    per_second: null,
    remaining_ms: null,
    next_poll_at: null,
    next_send_at: null,
    breaker: {
      state: 'closed',
      accepted: 20,
      failed: 0,
      probes: 0,
      max_probes: 3,
      next_probe_at: null,
      ...breaker,
    },
    ...part,
  };
}

export function posed(pose: Pose, site = 'demo'): ReplayJob {
  const at = (minutes: number) => later(-minutes * 60_000);
  const replay = (part: Partial<ReplayJob>): ReplayJob => ({
    job: `r-${pose}`,
    site,
    plan: 'plan-7f3a2c',
    description: 'not accepted webhooks created from 1 Oct 2026, 06:12 to 10:18',
    state: 'running',
    reason: null,
    paused_by: null,
    mode: 'adaptive',
    batch_size: 100,
    rate: null,
    ordered: false,
    started_at: at(4),
    ended_at: null,
    step: 'full',
    counts: none,
    in_flight: 0,
    live: null,
    requests: { total: 31, minimum: 12 },
    ...part,
  });
  switch (pose) {
    case 'canary':
      return replay({
        step: 'canary',
        counts: { ...none, queued: 1, waiting: 2803 },
        in_flight: 1,
        live: live({ unresolved: 1, window: 1, next_poll_at: later(4_000) }, { accepted: 0 }),
        requests: { total: 2, minimum: 2 },
      });
    case 'step':
      return replay({
        step: '24',
        counts: { ...none, accepted: 14, queued: 16, waiting: 2774 },
        in_flight: 16,
        live: live(
          { unresolved: 16, per_second: 2.4, remaining_ms: 19 * 60_000, next_poll_at: later(2_000) },
          { accepted: 14 },
        ),
      });
    case 'full':
      return replay({
        counts: { ...none, accepted: 1204, failed: 3, queued: 41, waiting: 1556 },
        in_flight: 41,
        rate: 20,
        live: live(
          { window: 48, unresolved: 41, per_second: 12.3, remaining_ms: 129_000, next_poll_at: later(1_500) },
          { accepted: 19, failed: 1 },
        ),
      });
    case 'last':
      return replay({
        counts: { ...none, accepted: 2798, failed: 3, queued: 3 },
        in_flight: 3,
        live: live({ window: 96, unresolved: 3, per_second: 0.4, next_poll_at: later(16_000) }),
      });
    case 'trouble':
      return replay({
        reason: 'The service answered 429: too many requests.',
        counts: { ...none, accepted: 204, queued: 3, waiting: 2597 },
        in_flight: 3,
        live: live({ unresolved: 3, next_send_at: later(42_000), next_poll_at: later(42_000) }),
      });
    case 'paused':
      return replay({
        state: 'paused',
        paused_by: 'user',
        reason: 'Paused. 12 queued webhooks cannot be recalled.',
        counts: { ...none, accepted: 1204, failed: 3, queued: 12, waiting: 1585 },
        in_flight: 12,
        live: live({ window: 48, unresolved: 12, next_poll_at: later(3_000) }),
      });
    case 'breaker':
      return replay({
        state: 'paused',
        paused_by: 'breaker',
        reason: 'The endpoint stopped accepting webhooks.',
        counts: { ...none, accepted: 212, failed: 11, waiting: 2581 },
        live: live({}, { state: 'open', accepted: 9, failed: 11, probes: 1, next_probe_at: later(228_000) }),
      });
    case 'key':
      return replay({
        state: 'paused',
        paused_by: 'key',
        reason: 'The service refused the API key. Replace it, then go on.',
        counts: { ...none, accepted: 212, waiting: 2592 },
        live: live(),
      });
    case 'done':
      return replay({ state: 'done', counts: { ...none, accepted: 2804 }, ended_at: at(1) });
    case 'failures':
      return replay({
        state: 'done',
        ordered: true,
        counts: { ...none, accepted: 2511, failed: 281, refused: 2, unresolved: 10 },
        ended_at: at(1),
      });
    case 'stopped':
      return replay({
        state: 'stopped',
        step: 'canary',
        reason:
          'The first webhook (941768437) was not accepted: 503 Service Unavailable. Nothing else was sent.',
        counts: { ...none, failed: 1, waiting: 2803 },
        ended_at: at(3),
      });
    case 'canceled':
      return replay({
        state: 'canceled',
        reason: 'Canceled. 12 webhooks were already queued and cannot be recalled.',
        counts: { ...none, accepted: 1204, failed: 3, queued: 12, waiting: 1585 },
        in_flight: 12,
        ended_at: at(1),
      });
    case 'interrupted':
      return replay({
        state: 'interrupted',
        counts: { ...none, accepted: 1204, failed: 3, queued: 41, waiting: 1556 },
        in_flight: 41,
        ended_at: at(1),
      });
  }
}

export const poses: readonly Pose[] = [
  'canary',
  'step',
  'full',
  'last',
  'trouble',
  'paused',
  'breaker',
  'key',
  'done',
  'failures',
  'stopped',
  'canceled',
  'interrupted',
];

const errors = ['503 Service Unavailable', 'execution expired', '500 Internal Server Error'];

/** Webhooks for a replay's counts, those that came first settled first. */
export function itemsFor(replay: ReplayJob, rows: readonly WebhookDetail[]): ReplayItem[] {
  const order: ReplayOutcome[] = [
    'accepted',
    'failed',
    'refused',
    'unresolved',
    'queued',
    'sending',
    'waiting',
  ];
  const outcomes = order.flatMap((outcome) => Array.from({ length: replay.counts[outcome] }, () => outcome));
  return rows.slice(0, outcomes.length).map((row, place) => {
    const outcome = outcomes[place] ?? 'waiting';
    const sent =
      outcome === 'waiting' ? null : new Date(Date.parse(replay.started_at) + place * 40).toISOString();
    return {
      id: row.id,
      event: row.event,
      outcome,
      sent_at: sent,
      resolved_at: outcome === 'accepted' || outcome === 'failed' ? sent : null,
      last_error: outcome === 'failed' ? (errors[place % 7 === 0 ? 1 : 0] ?? null) : null,
    };
  });
}
