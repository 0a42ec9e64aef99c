import type { LiveReplayStatus, ReplayJob } from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import { type CircuitBreaker, MAX_BREAKER_PROBES } from './circuit-breaker.ts';

/** Reason why a replay sends nothing until the user resumes it. */
export interface ReplayHaltReason {
  by: 'key' | 'refusals';
  reason: string;
}

/** Status of a replay as shown to the user. */
export type ReplayStatus = Pick<ReplayJob, 'reason' | 'paused_by' | 'step'> & {
  state: 'running' | 'paused';
  live: LiveReplayStatus;
};

/** State of a replay from which its status is derived. Instants are UTC milliseconds by the local clock. */
export interface ReplayEngineState {
  now: number;
  step: string;
  window: number;
  unresolved: number;
  /** Number of webhooks that are waiting to be sent or are unresolved. */
  remaining: number;
  perSecond: number | null;
  halt: ReplayHaltReason | null;
  paused: boolean;
  breaker: CircuitBreaker;
  probeAt: number;
  pollAt: number | null;
  sendAt: number;
  /** Message of the service's latest error, or null if the service has responded since. */
  serviceError: string | null;
  /** Number of webhooks that the service itself still retries, or 0 if other webhooks remain. */
  retried: number;
}

export function buildReplayStatus(known: ReplayEngineState): ReplayStatus {
  const { now, step, window, unresolved, remaining, perSecond, breaker, pollAt, sendAt } = known;
  const paused_by = findPauseCause(known);
  const accepted = breaker.recent.filter(Boolean).length;
  return {
    state: paused_by === null ? 'running' : 'paused',
    paused_by,
    reason: describeStatus(known, paused_by),
    step,
    live: {
      at: formatTimestamp(now),
      window: breaker.state === 'open' ? 1 : window,
      unresolved,
      per_second: perSecond,
      remaining_ms:
        perSecond === null || paused_by !== null ? null : Math.round((remaining / perSecond) * 1000),
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

/** Returns the reason shown for a replay paused by the user with this many unresolved webhooks. */
export function describeReplayPause(unresolved: number): string {
  if (unresolved === 0) return 'Paused.';
  return `Paused. ${formatCount(unresolved, 'queued webhook')} cannot be recalled.`;
}

function findPauseCause({ halt, paused, breaker }: ReplayEngineState): ReplayJob['paused_by'] {
  if (halt !== null) return halt.by;
  if (paused) return 'user';
  return breaker.state === 'open' ? 'breaker' : null;
}

function describeStatus(
  { halt, unresolved, serviceError, retried }: ReplayEngineState,
  paused_by: ReplayJob['paused_by'],
): string | null {
  switch (paused_by) {
    case 'key':
    case 'refusals':
      return halt?.reason ?? null;
    case 'user':
      return describeReplayPause(unresolved);
    case 'breaker':
      return 'The endpoint stopped accepting webhooks. Single webhooks are sent as probes. Sending continues when a probe is accepted.';
    case null:
      if (serviceError !== null || retried === 0) return serviceError;
      return `The service is still retrying ${formatCount(retried, 'webhook')} itself. Webhooks that it cannot deliver are sent afterward.`;
  }
}
