/**
 * How many webhooks a replay may have underway. It begins with one and takes the next step only when all of the last one
 * are resolved and at least 95 % were accepted. The service pauses an endpoint after 25 failures in a row; a window of 24
 * cannot cause that by itself.
 */
export type Mode = 'safe' | 'adaptive' | 'fast';

export interface Ramp {
  readonly mode: Mode;
  /** Index into the steps; behind them the replay is at full. */
  readonly step: number;
  /** Most webhooks unresolved at once, once at full. */
  readonly window: number;
  /** Accepted one after the other since the window last changed. */
  readonly clean: number;
  /** The last outcomes at full, newest last: true is accepted. */
  readonly recent: readonly boolean[];
}

const STEPS = [1, 5, 24] as const;
export const SAFE_WINDOW = 24;
const WIDEST_WINDOW = 1000;
/** Clean outcomes, as a multiple of the window, that double it. */
const CLEAN_RUN = 4;
/** A cluster of failures: so many among so many outcomes. */
const CLUSTER = { failures: 2, among: 10 };
const ENOUGH = 0.95;

export function startRamp(mode: Mode): Ramp {
  return { mode, step: 0, window: mode === 'fast' ? WIDEST_WINDOW : SAFE_WINDOW, clean: 0, recent: [] };
}

/** The step in words: `canary`, `5`, `24`, `full`. */
export function stepName({ step }: Ramp): string {
  return step === 0 ? 'canary' : step < STEPS.length ? String(STEPS[step]) : 'full';
}

/** Most webhooks unresolved at once, now. */
export function windowOf(ramp: Ramp): number {
  return STEPS[ramp.step] ?? ramp.window;
}

export function isCanary(ramp: Ramp): boolean {
  return ramp.step === 0;
}

/**
 * How many webhooks may be sent now, given how many are unresolved. A step is sent at once and then waited for; at full the
 * window is refilled when half of it is free, so that posts stay few.
 */
export function room(ramp: Ramp, unresolved: number): number {
  const step = STEPS[ramp.step];
  if (step !== undefined) return unresolved === 0 ? step : 0;
  const free = ramp.window - unresolved;
  return unresolved === 0 || free >= ramp.window / 2 ? Math.max(0, free) : 0;
}

/** The ramp after a step of which all are resolved; unchanged where it did not do well enough, so that it is taken again. */
export function afterStep(ramp: Ramp, accepted: number, total: number): Ramp {
  if (ramp.step >= STEPS.length || total === 0) return ramp;
  return accepted / total >= ENOUGH ? { ...ramp, step: ramp.step + 1 } : ramp;
}

/** The ramp after one more outcome at full. */
export function afterOutcome(ramp: Ramp, accepted: boolean): Ramp {
  if (ramp.mode !== 'adaptive' || ramp.step < STEPS.length) return ramp;
  const recent = [...ramp.recent, accepted].slice(-CLUSTER.among);
  if (!accepted) {
    const cluster = recent.filter((each) => !each).length >= CLUSTER.failures;
    return { ...ramp, clean: 0, recent, window: cluster ? SAFE_WINDOW : ramp.window };
  }
  const clean = ramp.clean + 1;
  if (clean < ramp.window * CLEAN_RUN || ramp.window >= WIDEST_WINDOW) return { ...ramp, clean, recent };
  return { ...ramp, clean: 0, recent, window: Math.min(WIDEST_WINDOW, ramp.window * 2) };
}
