/**
 * Limits the unresolved webhooks of a replay. It starts with one and takes the next step only if everything is resolved
 * and at least 95 % were accepted. The service pauses an endpoint after 25 failures in a row; a window of 24 cannot cause
 * that alone.
 */
export type ReplayMode = 'safe' | 'adaptive' | 'fast';

export interface Ramp {
  readonly mode: ReplayMode;
  /** Index into the steps. After the last step the replay runs at full rate. */
  readonly step: number;
  /** Maximum number of unresolved webhooks at full rate. */
  readonly window: number;
  /** Number of acceptances in a row since the window last changed. */
  readonly clean: number;
  /** The latest outcomes at full rate, newest last. True means accepted. */
  readonly recent: readonly boolean[];
}

const STEPS = [1, 5, 24] as const;
export const SAFE_WINDOW = 24;
const WIDEST_WINDOW = 1000;
/** Number of acceptances in a row, as a multiple of the window, that doubles the window. Chosen by judgment. */
const CLEAN_RUN = 4;
/** A cluster of failures: this many among this many outcomes. Chosen by judgment. */
const CLUSTER = { failures: 2, among: 10 };
const ENOUGH = 0.95;

export function startRamp(mode: ReplayMode): Ramp {
  return { mode, step: 0, window: mode === 'fast' ? WIDEST_WINDOW : SAFE_WINDOW, clean: 0, recent: [] };
}

/** Returns the name of the step: `canary`, `5`, `24` or `full`. */
export function rampStepName({ step }: Ramp): string {
  return step === 0 ? 'canary' : step < STEPS.length ? String(STEPS[step]) : 'full';
}

/** Returns the current maximum number of unresolved webhooks. */
export function currentWindow(ramp: Ramp): number {
  return STEPS[ramp.step] ?? ramp.window;
}

export function isCanary(ramp: Ramp): boolean {
  return ramp.step === 0;
}

/**
 * Returns how many webhooks may be sent now. A step is sent at once and then awaited. At full rate the window is refilled
 * when half of it is free, which keeps the number of posts low.
 */
export function sendableNow(ramp: Ramp, unresolved: number): number {
  const step = STEPS[ramp.step];
  if (step !== undefined) return unresolved === 0 ? step : 0;
  const free = ramp.window - unresolved;
  return unresolved === 0 || free >= ramp.window / 2 ? Math.max(0, free) : 0;
}

/**
 * Returns the ramp after all webhooks of a step are resolved. It is unchanged if too many failed, so that the step is
 * repeated.
 */
export function rampAfterStep(ramp: Ramp, accepted: number, total: number): Ramp {
  if (ramp.step >= STEPS.length || total === 0) return ramp;
  return accepted / total >= ENOUGH ? { ...ramp, step: ramp.step + 1 } : ramp;
}

/** Returns the ramp after another outcome at full rate. */
export function rampAfterOutcome(ramp: Ramp, accepted: boolean): Ramp {
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
