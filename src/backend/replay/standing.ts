import type { ReplayJob, ReplayLive } from '../../contract/index.ts';
import { isoMoment } from '../store/moment.ts';
import { type Breaker, MOST_PROBES } from './breaker.ts';

/** What keeps a replay from sending until the user says so. */
export interface Halt {
  by: 'key' | 'refusals';
  why: string;
}

/** How a replay stands, for showing. */
export type Standing = Pick<ReplayJob, 'reason' | 'paused_by' | 'step'> & {
  state: 'running' | 'paused';
  live: ReplayLive;
};

/** What the engine knows. Instants in ms UTC, our clock. */
export interface Known {
  now: number;
  step: string;
  window: number;
  unresolved: number;
  /** Webhooks that are waiting or underway. */
  left: number;
  perSecond: number | null;
  halt: Halt | null;
  paused: boolean;
  breaker: Breaker;
  probeAt: number;
  lookAt: number | null;
  sendAt: number;
  trouble: string | null;
  /** How many wait for the service's own retries, where nothing else is left. */
  retried: number;
}

export function standingOf(known: Known): Standing {
  const { now, step, window, unresolved, left, perSecond, breaker, lookAt, sendAt } = known;
  const paused_by = pausedBy(known);
  const accepted = breaker.recent.filter(Boolean).length;
  return {
    state: paused_by === null ? 'running' : 'paused',
    paused_by,
    reason: reasonOf(known, paused_by),
    step,
    live: {
      at: isoMoment(now),
      window: breaker.state === 'open' ? 1 : window,
      unresolved,
      per_second: perSecond,
      remaining_ms: perSecond === null || paused_by !== null ? null : Math.round((left / perSecond) * 1000),
      next_look_at: isoMoment(lookAt),
      next_send_at: paused_by === null && sendAt > now ? isoMoment(sendAt) : null,
      breaker: {
        state: breaker.state,
        accepted,
        failed: breaker.recent.length - accepted,
        probes: breaker.probes,
        probes_at_most: MOST_PROBES,
        next_probe_at:
          breaker.state === 'open' && unresolved === 0 ? isoMoment(Math.max(now, known.probeAt)) : null,
      },
    },
  };
}

function pausedBy({ halt, paused, breaker }: Known): ReplayJob['paused_by'] {
  if (halt !== null) return halt.by;
  if (paused) return 'user';
  return breaker.state === 'open' ? 'breaker' : null;
}

function reasonOf(
  { halt, unresolved, trouble, retried }: Known,
  paused_by: ReplayJob['paused_by'],
): string | null {
  switch (paused_by) {
    case 'key':
    case 'refusals':
      return halt?.why ?? null;
    case 'user':
      return unresolved === 0 ? 'Paused.' : `Paused; ${unresolved} are queued already and go on.`;
    case 'breaker':
      return 'The endpoint stopped accepting webhooks. One is tried now and then; the rest goes on when it is accepted.';
    case null:
      if (trouble !== null || retried === 0) return trouble;
      return `The service itself still tries ${retried}; what it does not bring through is sent then.`;
  }
}
