import type { ReplayJob, ReplayLive } from '../../contract/index.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import { type CircuitBreaker, MAX_PROBES } from './breaker.ts';

/** Reason why a replay sends nothing until the user decides. */
export interface ReplayHalt {
  by: 'key' | 'refusals';
  reason: string;
}

/** Status of a replay for display. */
export type ReplayStatus = Pick<ReplayJob, 'reason' | 'paused_by' | 'step'> & {
  state: 'running' | 'paused';
  live: ReplayLive;
};

/** State of the engine. Instants are UTC milliseconds, local clock. */
export interface EngineState {
  now: number;
  step: string;
  window: number;
  unresolved: number;
  /** Number of webhooks waiting or unresolved. */
  left: number;
  perSecond: number | null;
  halt: ReplayHalt | null;
  paused: boolean;
  breaker: CircuitBreaker;
  probeAt: number;
  lookAt: number | null;
  sendAt: number;
  trouble: string | null;
  /** Number of webhooks waiting for the service's own retries, if nothing else is left. */
  retried: number;
}

export function replayStatus(known: EngineState): ReplayStatus {
  const { now, step, window, unresolved, left, perSecond, breaker, lookAt, sendAt } = known;
  const paused_by = pausedBy(known);
  const accepted = breaker.recent.filter(Boolean).length;
  return {
    state: paused_by === null ? 'running' : 'paused',
    paused_by,
    reason: reasonOf(known, paused_by),
    step,
    live: {
      at: formatTimestamp(now),
      window: breaker.state === 'open' ? 1 : window,
      unresolved,
      per_second: perSecond,
      remaining_ms: perSecond === null || paused_by !== null ? null : Math.round((left / perSecond) * 1000),
      next_poll_at: formatTimestamp(lookAt),
      next_send_at: paused_by === null && sendAt > now ? formatTimestamp(sendAt) : null,
      breaker: {
        state: breaker.state,
        accepted,
        failed: breaker.recent.length - accepted,
        probes: breaker.probes,
        max_probes: MAX_PROBES,
        next_probe_at:
          breaker.state === 'open' && unresolved === 0 ? formatTimestamp(Math.max(now, known.probeAt)) : null,
      },
    },
  };
}

function pausedBy({ halt, paused, breaker }: EngineState): ReplayJob['paused_by'] {
  if (halt !== null) return halt.by;
  if (paused) return 'user';
  return breaker.state === 'open' ? 'breaker' : null;
}

function reasonOf(
  { halt, unresolved, trouble, retried }: EngineState,
  paused_by: ReplayJob['paused_by'],
): string | null {
  switch (paused_by) {
    case 'key':
    case 'refusals':
      return halt?.reason ?? null;
    case 'user':
      return unresolved === 0 ? 'Paused.' : `Paused; ${unresolved} are queued already and go on.`;
    case 'breaker':
      return 'The endpoint stopped accepting webhooks. One is tried now and then; the rest goes on when it is accepted.';
    case null:
      if (trouble !== null || retried === 0) return trouble;
      return `The service itself still tries ${retried}; what it does not bring through is sent then.`;
  }
}
