import type {
  LiveReplayStatus,
  ReplayItem,
  ReplayJob,
  ReplayOutcome,
  WebhookDetail,
} from '../../../src/contract/index.ts';

/** Sample replay in a certain state, to view in the window and to test texts. */
export type SampleReplayState =
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

const zeroCounts: Record<ReplayOutcome, number> = {
  waiting: 0,
  sending: 0,
  queued: 0,
  accepted: 0,
  failed: 0,
  refused: 0,
  unresolved: 0,
};

const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString();

function createLiveStatus(
  part: Partial<LiveReplayStatus> = {},
  breaker: Partial<LiveReplayStatus['breaker']> = {},
): LiveReplayStatus {
  return {
    at: fromNow(0),
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

export function createSampleReplay(pose: SampleReplayState, site = 'demo'): ReplayJob {
  const at = (minutes: number) => fromNow(-minutes * 60_000);
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
    endpoint: null,
    connections: null,
    ordered: false,
    started_at: at(4),
    ended_at: null,
    step: 'full',
    counts: zeroCounts,
    in_flight: 0,
    live: null,
    requests: { total: 31, minimum: 12 },
    ...part,
  });
  switch (pose) {
    case 'canary':
      return replay({
        step: 'canary',
        counts: { ...zeroCounts, queued: 1, waiting: 2803 },
        in_flight: 1,
        live: createLiveStatus({ unresolved: 1, window: 1, next_poll_at: fromNow(4_000) }, { accepted: 0 }),
        requests: { total: 2, minimum: 2 },
      });
    case 'step':
      return replay({
        step: '24',
        counts: { ...zeroCounts, accepted: 14, queued: 16, waiting: 2774 },
        in_flight: 16,
        live: createLiveStatus(
          { unresolved: 16, per_second: 2.4, remaining_ms: 19 * 60_000, next_poll_at: fromNow(2_000) },
          { accepted: 14 },
        ),
      });
    case 'full':
      return replay({
        counts: { ...zeroCounts, accepted: 1204, failed: 3, queued: 41, waiting: 1556 },
        in_flight: 41,
        rate: 20,
        live: createLiveStatus(
          {
            window: 48,
            unresolved: 41,
            per_second: 12.3,
            remaining_ms: 129_000,
            next_poll_at: fromNow(1_500),
          },
          { accepted: 19, failed: 1 },
        ),
      });
    case 'last':
      return replay({
        counts: { ...zeroCounts, accepted: 2798, failed: 3, queued: 3 },
        in_flight: 3,
        live: createLiveStatus({ window: 96, unresolved: 3, per_second: 0.4, next_poll_at: fromNow(16_000) }),
      });
    case 'trouble':
      return replay({
        reason: 'The service answered 429: too many requests.',
        counts: { ...zeroCounts, accepted: 204, queued: 3, waiting: 2597 },
        in_flight: 3,
        live: createLiveStatus({
          unresolved: 3,
          next_send_at: fromNow(42_000),
          next_poll_at: fromNow(42_000),
        }),
      });
    case 'paused':
      return replay({
        state: 'paused',
        paused_by: 'user',
        reason: 'Paused. 12 queued webhooks cannot be recalled.',
        counts: { ...zeroCounts, accepted: 1204, failed: 3, queued: 12, waiting: 1585 },
        in_flight: 12,
        live: createLiveStatus({ window: 48, unresolved: 12, next_poll_at: fromNow(3_000) }),
      });
    case 'breaker':
      return replay({
        state: 'paused',
        paused_by: 'breaker',
        reason: 'The endpoint stopped accepting webhooks.',
        counts: { ...zeroCounts, accepted: 212, failed: 11, waiting: 2581 },
        live: createLiveStatus(
          {},
          { state: 'open', accepted: 9, failed: 11, probes: 1, next_probe_at: fromNow(228_000) },
        ),
      });
    case 'key':
      return replay({
        state: 'paused',
        paused_by: 'key',
        reason: 'The service refused the API key. Replace it, then go on.',
        counts: { ...zeroCounts, accepted: 212, waiting: 2592 },
        live: createLiveStatus(),
      });
    case 'done':
      return replay({ state: 'done', counts: { ...zeroCounts, accepted: 2804 }, ended_at: at(1) });
    case 'failures':
      return replay({
        state: 'done',
        ordered: true,
        counts: { ...zeroCounts, accepted: 2511, failed: 281, refused: 2, unresolved: 10 },
        ended_at: at(1),
      });
    case 'stopped':
      return replay({
        state: 'stopped',
        step: 'canary',
        reason:
          'The first webhook (941768437) was not accepted: 503 Service Unavailable. Nothing else was sent.',
        counts: { ...zeroCounts, failed: 1, waiting: 2803 },
        ended_at: at(3),
      });
    case 'canceled':
      return replay({
        state: 'canceled',
        reason: 'Canceled. 12 webhooks were already queued and cannot be recalled.',
        counts: { ...zeroCounts, accepted: 1204, failed: 3, queued: 12, waiting: 1585 },
        in_flight: 12,
        ended_at: at(1),
      });
    case 'interrupted':
      return replay({
        state: 'interrupted',
        counts: { ...zeroCounts, accepted: 1204, failed: 3, queued: 41, waiting: 1556 },
        in_flight: 41,
        ended_at: at(1),
      });
  }
}

export const sampleReplayStates: readonly SampleReplayState[] = [
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

/** Returns replay items that match the replay’s counts, resolved webhooks first. */
export function createReplayItems(replay: ReplayJob, rows: readonly WebhookDetail[]): ReplayItem[] {
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
