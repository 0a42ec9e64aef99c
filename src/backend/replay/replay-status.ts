import type { ReplayJob, ReplayLive } from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import { type CircuitBreaker, MAX_BREAKER_PROBES } from './circuit-breaker.ts';

/** Reason why a replay sends nothing until the user resumes it. */
export interface ReplayHalt {
  by: 'key' | 'refusals';
  reason: string;
}

/** Status of a replay as shown to the user. */
export type ReplayStatus = Pick<ReplayJob, 'reason' | 'paused_by' | 'step'> & {
  state: 'running' | 'paused';
  live: ReplayLive;
};

/** State of a replay from which its status is derived. Instants are UTC milliseconds by the local clock. */
export interface ReplayEngineState {
  now: number;
  step: string;
  window: number;
  unresolved: number;
  /** Number of webhooks that wait to be sent or are unresolved. */
  left: number;
  perSecond: number | null;
  halt: ReplayHalt | null;
  paused: boolean;
  breaker: CircuitBreaker;
  probeAt: number;
  pollAt: number | null;
  sendAt: number;
  trouble: string | null;
  /** Number of webhooks that the service itself still retries, if no others are left. Otherwise 0. */
  retried: number;
}

export function replayStatus(known: ReplayEngineState): ReplayStatus {
  const { now, step, window, unresolved, left, perSecond, breaker, pollAt, sendAt } = known;
  const paused_by = pauseCause(known);
  const accepted = breaker.recent.filter(Boolean).length;
  return {
    state: paused_by === null ? 'running' : 'paused',
    paused_by,
    reason: statusReason(known, paused_by),
    step,
    live: {
      at: formatTimestamp(now),
      window: breaker.state === 'open' ? 1 : window,
      unresolved,
      per_second: perSecond,
      remaining_ms: perSecond === null || paused_by !== null ? null : Math.round((left / perSecond) * 1000),
      next_poll_at: formatTimestamp(pollAt),
      next_send_at: paused_by === null && sendAt > now ? formatTimestamp(sendAt) : null,
      breaker: {
        state: breaker.state,
        accepted,
        failed: breaker.recent.length - accepted,
        probes: breaker.probes,
        max_probes: MAX_BREAKER_PROBES,
        next_probe_at:
          breaker.state === 'open' && unresolved === 0 ? formatTimestamp(Math.max(now, known.probeAt)) : null,
      },
    },
  };
}

function pauseCause({ halt, paused, breaker }: ReplayEngineState): ReplayJob['paused_by'] {
  if (halt !== null) return halt.by;
  if (paused) return 'user';
  return breaker.state === 'open' ? 'breaker' : null;
}

function statusReason(
  { halt, unresolved, trouble, retried }: ReplayEngineState,
  paused_by: ReplayJob['paused_by'],
): string | null {
  switch (paused_by) {
    case 'key':
    case 'refusals':
      return halt?.reason ?? null;
    case 'user':
      return unresolved === 0
        ? 'Paused.'
        : `Paused. ${formatCount(unresolved, 'queued webhook')} cannot be recalled.`;
    case 'breaker':
      return 'The endpoint stopped accepting webhooks. Single webhooks are sent as probes. Sending continues when one is accepted.';
    case null:
      if (trouble !== null || retried === 0) return trouble;
      return `The service is still retrying ${retried} itself. Those it does not deliver are sent afterward.`;
  }
}
