import type { ReplayDecisions, UnresolvedWebhook } from './replay-resolution-decisions.ts';

/** Source of the outcomes of webhooks in flight: the service's log, or the responses of the endpoint. */
export interface OutcomeSource {
  /** Time of the next poll in UTC milliseconds by the local clock. Infinity while there is nothing to poll for. */
  readonly pollAt: number;
  /** Records that webhooks were posted. `usual` is the usual time from post to outcome in milliseconds, if known. */
  recordPost(postedAt: number, usual: number | null): void;
  /** Delays the next poll to the given time or later. */
  delayPoll(until: number): void;
  /** Returns decisions about the webhooks in flight, or null if the outcomes could not be read. */
  poll(
    inFlight: ReadonlyMap<number, UnresolvedWebhook>,
    now: () => number,
    usual: number | null,
  ): Promise<ReplayDecisions | null>;
}
