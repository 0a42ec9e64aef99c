import {
  type CircuitBreaker,
  getNextProbeDelay,
  INITIAL_CIRCUIT_BREAKER,
  updateCircuitBreaker,
} from './circuit-breaker.ts';
import {
  advanceReplayRamp,
  createReplayRamp,
  type ReplayMode,
  type ReplayRamp,
  updateReplayRamp,
} from './replay-ramp.ts';
import type { WebhookResolution } from './replay-resolution-decisions.ts';

/** Ramp and circuit breaker of a replay. Earlier outcomes determine how many webhooks they allow. */
export class ReplayFlowControl {
  readonly #mode: ReplayMode;
  readonly #delayScale: number;
  ramp: ReplayRamp;
  breaker: CircuitBreaker = INITIAL_CIRCUIT_BREAKER;
  /** Time of the open breaker's next probe, in UTC milliseconds by the local clock. */
  probeAt = 0;
  /** Reason why the replay must stop because of the endpoint, or null. */
  stopReason: string | null = null;
  /** Numbers of accepted and of resolved webhooks in the current step of the ramp. */
  #step = { accepted: 0, total: 0 };
  /** Id of the webhook sent as the current probe. */
  #probe: number | null = null;

  constructor(mode: ReplayMode, delayScale: number) {
    this.#mode = mode;
    this.#delayScale = delayScale;
    this.ramp = createReplayRamp(mode);
  }

  /** Records that webhooks were posted. While the breaker is open, the first one is the probe. */
  recordPost(ids: readonly number[]): void {
    if (this.breaker.state === 'open') this.#probe = ids[0] ?? null;
  }

  /** Records the outcome of a webhook. `now` is UTC milliseconds by the local clock. */
  recordResolution({ item, outcome }: WebhookResolution, now: number): void {
    const accepted = outcome === 'accepted';
    this.#step.total++;
    if (accepted) this.#step.accepted++;
    if (outcome === 'unresolved') return;
    this.ramp = updateReplayRamp(this.ramp, accepted);
    // While the breaker is open, only the probe's outcome counts.
    if (this.breaker.state === 'open' && item.webhook_id !== this.#probe) return;
    const before = this.breaker;
    this.breaker = updateCircuitBreaker(before, accepted);
    if (this.breaker.state === 'open') {
      const delay = getNextProbeDelay(this.breaker);
      if (delay === null) this.stopReason = 'The endpoint did not recover: three probes failed.';
      else this.probeAt = now + delay * this.#delayScale;
    } else if (before.state === 'open') {
      // The successful probe replaces the canary, so the ramp starts at its second step.
      this.ramp = { ...createReplayRamp(this.#mode), step: 1 };
    }
  }

  /** Ends a ramp step after all its webhooks are resolved. If the canary was not accepted, the replay must stop. */
  endStep([first]: readonly WebhookResolution[]): void {
    const { accepted, total } = this.#step;
    if (this.ramp.step === 0 && total > 0 && accepted === 0) {
      const error = first?.last_error ?? 'it was not delivered in time';
      const id = first === undefined ? '' : ` (${first.item.webhook_id})`;
      this.stopReason = `The first webhook${id} was not accepted: ${error}. Nothing else was sent.`;
      return;
    }
    this.ramp = advanceReplayRamp(this.ramp, accepted, total);
    this.#step = { accepted: 0, total: 0 };
  }
}
