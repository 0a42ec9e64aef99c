import type { EndpointProblem } from '../../contract/index.ts';

/** Health of an endpoint according to the log and the service. Instants are UTC milliseconds of the service's clock. */
export interface EndpointHealth {
  /** Address without its query. */
  endpoint: string;
  /** Number of webhooks whose latest attempt failed after the latest acceptance. */
  failures: number;
  /** Attempt of the first of these failures. */
  failing_since: number | null;
  last_attempt_at: number;
  accepted_at: number | null;
  /** Status as the service names it; null if the service does not list its endpoints. */
  status: string | null;
}

/** Time range at the end of the log without webhooks. Null if the log is not unusually silent. */
export type LogSilence = { from: number } | null;

/** State of an endpoint as assessed from its health. An `endpoint` of null means the whole site. */
export interface EndpointCondition {
  endpoint: string | null;
  problem: EndpointProblem | null;
  failures: number;
  /** Start of the problem; 0 if there is none. */
  since: number;
  /** Time of the latest proof that webhooks arrive; null if there is none. */
  working_at: number | null;
  reported: boolean;
}

/** Latest alert about an endpoint. `problem` is null after a recovery. */
export interface AlertState {
  endpoint: string | null;
  problem: EndpointProblem | null;
  since: number;
  /** Local clock, UTC milliseconds. */
  alerted_at: number;
}

export interface AlertToSend {
  endpoint: string | null;
  kind: EndpointProblem | 'recovered';
  failures: number;
  since: number;
  reported: boolean;
}

/** Failures in a row from which the service pauses an endpoint, and disables it (service facts, "Endpoint health"). */
export const PAUSED_FROM = 26;
const DISABLED_FROM = 51;
const DISABLED_AFTER_MS = 48 * 3_600_000;
/** Failures in a row that cause the first alert, and the one before the pause. Chosen by judgment. */
const FAILING_FROM = 3;
const PAUSING_FROM = 16;
/** Age of the latest attempt from which an endpoint counts as no longer used, in milliseconds. Chosen by judgment. */
const UNUSED_MS = 7 * 86_400_000;
/** Minimum time between an alert and the next one that failures have started, in milliseconds. Chosen by judgment. */
const REPEAT_MS = 3_600_000;

const severities: Record<EndpointProblem, number> = {
  failing: 1,
  silent: 1,
  pausing: 2,
  paused: 3,
  disabled: 4,
};
const getSeverity = (problem: EndpointProblem | null): number => (problem === null ? 0 : severities[problem]);

/** Assesses an endpoint. `knownTo` is the end of the stored log in UTC milliseconds of the service's clock. */
export function assessEndpoint(health: EndpointHealth, knownTo: number): EndpointCondition {
  const { endpoint, failures, failing_since, accepted_at, status, last_attempt_at } = health;
  const reportedProblem = toReportedProblem(status);
  const isUnused = reportedProblem === null && knownTo - last_attempt_at > UNUSED_MS;
  const counted = isUnused ? null : countProblem(failures, knownTo - (failing_since ?? knownTo));
  // The service knows best whether it still sends webhooks to the endpoint.
  const isEnabled = status !== null && reportedProblem === null;
  const own = isEnabled && getSeverity(counted) > getSeverity('pausing') ? 'pausing' : counted;
  const problem = reportedProblem ?? own;
  return {
    endpoint,
    problem,
    failures,
    since: problem === null ? 0 : (failing_since ?? accepted_at ?? last_attempt_at),
    working_at: accepted_at,
    reported: reportedProblem !== null,
  };
}

function toReportedProblem(status: string | null): EndpointProblem | null {
  if (status === null) return null;
  if (/^paused/i.test(status)) return 'paused';
  return /^(disabled|inactive)/i.test(status) ? 'disabled' : null;
}

function countProblem(failures: number, failingForMs: number): EndpointProblem | null {
  if (failures >= DISABLED_FROM) return 'disabled';
  if (failures >= PAUSED_FROM) return failingForMs >= DISABLED_AFTER_MS ? 'disabled' : 'paused';
  if (failures >= PAUSING_FROM) return 'pausing';
  return failures >= FAILING_FROM ? 'failing' : null;
}

/** Assesses the silence of the log. `newestAt` is the creation time of the newest webhook; null if there is none. */
export const assessSilence = (silence: LogSilence, newestAt: number | null): EndpointCondition => ({
  endpoint: null,
  problem: silence === null ? null : 'silent',
  failures: 0,
  since: silence?.from ?? 0,
  working_at: newestAt,
  reported: false,
});

/**
 * Decides which alerts are due. Returns them with the states that change. Until an endpoint recovers, each alert about it
 * is more severe than the previous one, so that repeated or restarted calls alert nobody twice. A problem that starts after
 * an unreported recovery is new. Held alerts are sent later if they still apply. `now` is the local clock in UTC milliseconds.
 */
export function decideAlerts(
  states: readonly AlertState[],
  conditions: readonly EndpointCondition[],
  { now, isQuiet }: { now: number; isQuiet: boolean },
): { alerts: AlertToSend[]; states: AlertState[] } {
  if (isQuiet) return { alerts: [], states: [] };
  const known = new Map(states.map((state) => [state.endpoint, state]));
  const isDisabled = conditions.some(({ problem }) => problem === 'disabled');
  const decided = conditions
    // A disabled endpoint explains the silence.
    .filter(({ problem }) => problem !== 'silent' || !isDisabled)
    .flatMap((condition) => decideAlert(known.get(condition.endpoint), condition, now));
  return {
    alerts: decided,
    states: decided.map(({ endpoint, kind, since }) => ({
      endpoint,
      problem: kind === 'recovered' ? null : kind,
      since,
      alerted_at: now,
    })),
  };
}

function decideAlert(
  state: AlertState | undefined,
  { endpoint, problem, failures, since, working_at, reported }: EndpointCondition,
  now: number,
): AlertToSend[] {
  const alerted = state?.problem ?? null;
  const hasRecovered = alerted !== null && working_at !== null && working_at > (state?.since ?? 0);
  if (problem === null)
    return hasRecovered
      ? [{ endpoint, kind: 'recovered', failures: 0, since: working_at, reported: false }]
      : [];
  // A reported status without a later failure may be the one from before the recovery.
  const isNew = hasRecovered && (!reported || since > working_at);
  if (getSeverity(problem) <= getSeverity(isNew ? null : alerted)) return [];
  const isRepeat = state !== undefined && Math.abs(now - state.alerted_at) < REPEAT_MS;
  if (getSeverity(problem) === 1 && isRepeat) return [];
  return [{ endpoint, kind: problem, failures, since, reported }];
}

/** Returns true if a local time of day lies in the quiet hours. Times are `HH:MM`. The end does not belong to them. */
export function areQuietHoursAt(quiet: { from: string; to: string } | null, timeOfDay: string): boolean {
  if (quiet === null) return false;
  const { from, to } = quiet;
  return from < to ? timeOfDay >= from && timeOfDay < to : timeOfDay >= from || timeOfDay < to;
}
