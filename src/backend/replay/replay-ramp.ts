/**
 * Mode of a replay. Each mode starts with one webhook and takes the next step after at least 95% were accepted. The
 * service pauses an endpoint after 25 failures in a row. A window of at most 24 webhooks cannot cause that alone.
 */
export type ReplayMode = 'safe' | 'adaptive' | 'fast';

export interface ReplayRamp {
  readonly mode: ReplayMode;
  /** Index of the current step. After the last step, the replay runs at the full rate. */
  readonly step: number;
  /** Maximum number of unresolved webhooks at the full rate. */
  readonly window: number;
  /** Number of webhooks accepted in a row since the window last changed. */
  readonly acceptedInRow: number;
  /** Latest outcomes at the full rate, newest last. True means accepted. */
  readonly recent: readonly boolean[];
}

const RAMP_STEPS = [1, 5, 24] as const;
export const SAFE_RAMP_WINDOW = 24;
const MAX_WINDOW = 1000;
/** The window doubles after this multiple of its size was accepted in a row. Chosen by judgment. */
const DOUBLING_FACTOR = 4;
/** The window shrinks after this many failures among the latest outcomes. Chosen by judgment. */
const FAILURE_CLUSTER = { failures: 2, among: 10 };
const MIN_ACCEPTED_SHARE = 0.95;

export function createReplayRamp(mode: ReplayMode): ReplayRamp {
  return {
    mode,
    step: 0,
    window: mode === 'fast' ? MAX_WINDOW : SAFE_RAMP_WINDOW,
    acceptedInRow: 0,
    recent: [],
  };
}

/** Returns the name of the current step: `canary`, `5`, `24` or `full`. */
export function getRampStepName({ step }: ReplayRamp): string {
  return step === 0 ? 'canary' : step < RAMP_STEPS.length ? String(RAMP_STEPS[step]) : 'full';
}

/** Returns the current maximum number of unresolved webhooks. */
export function getRampWindow(ramp: ReplayRamp): number {
  return RAMP_STEPS[ramp.step] ?? ramp.window;
}

/** Returns the number of webhooks that may be sent now. At the full rate, only a half-empty window is refilled. */
export function countSendableWebhooks(ramp: ReplayRamp, unresolved: number): number {
  const step = RAMP_STEPS[ramp.step];
  if (step !== undefined) return unresolved === 0 ? step : 0;
  const free = ramp.window - unresolved;
  return unresolved === 0 || free >= ramp.window / 2 ? Math.max(0, free) : 0;
}

/** Returns the ramp after all webhooks of a step are resolved. If too many failed, the step is repeated. */
export function advanceReplayRamp(ramp: ReplayRamp, accepted: number, total: number): ReplayRamp {
  if (ramp.step >= RAMP_STEPS.length || total === 0) return ramp;
  return accepted / total >= MIN_ACCEPTED_SHARE ? { ...ramp, step: ramp.step + 1 } : ramp;
}

/** Returns the ramp after another outcome at the full rate. */
export function updateReplayRamp(ramp: ReplayRamp, accepted: boolean): ReplayRamp {
  if (ramp.mode !== 'adaptive' || ramp.step < RAMP_STEPS.length) return ramp;
  const recent = [...ramp.recent, accepted].slice(-FAILURE_CLUSTER.among);
  if (!accepted) {
    const cluster = recent.filter((each) => !each).length >= FAILURE_CLUSTER.failures;
    return { ...ramp, acceptedInRow: 0, recent, window: cluster ? SAFE_RAMP_WINDOW : ramp.window };
  }
  const clean = ramp.acceptedInRow + 1;
  if (clean < ramp.window * DOUBLING_FACTOR || ramp.window >= MAX_WINDOW)
    return { ...ramp, acceptedInRow: clean, recent };
  return { ...ramp, acceptedInRow: 0, recent, window: Math.min(MAX_WINDOW, ramp.window * 2) };
}
