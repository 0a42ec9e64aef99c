import type { DeliveryFields } from '../store/replay/replay.ts';
import type { OutcomeSource } from './outcome-source.ts';
import { getFirstOutcomePollDelay, getNextOutcomePollDelay } from './replay-delays.ts';
import {
  decideOnUnresolvedWebhooks,
  type ReplayDecisions,
  type UnresolvedWebhook,
} from './replay-resolution-decisions.ts';

/** Number of polls without an outcome after which a poll reads every page that may contain one. */
const POLLS_BEFORE_FULL_READ = 3;

/** Fetches delivery states from the service's log. Returns null if the service fails. */
export type FetchDeliveryStates = (
  ids: readonly number[],
  all: boolean,
) => Promise<ReadonlyMap<number, DeliveryFields> | null>;

/** Reads outcomes from the service's log. Polls more often while the log shows outcomes. */
export class LogOutcomes implements OutcomeSource {
  readonly #fetchStates: FetchDeliveryStates;
  readonly #delayScale: number;
  #delay = getFirstOutcomePollDelay(null);
  #pollsWithoutOutcome: number;
  pollAt = 0;

  /** Every delay is multiplied by `delayScale`. `hasEarlier` is true if webhooks of an earlier run are in flight. */
  constructor(fetchStates: FetchDeliveryStates, delayScale: number, hasEarlier: boolean) {
    this.#fetchStates = fetchStates;
    this.#delayScale = delayScale;
    // The first poll after a restart reads all pages, so that no webhook of the earlier run is missed.
    this.#pollsWithoutOutcome = hasEarlier ? POLLS_BEFORE_FULL_READ : 0;
  }

  recordPost(postedAt: number, usual: number | null): void {
    this.#delay = getFirstOutcomePollDelay(usual);
    this.#pollsWithoutOutcome = 0;
    this.pollAt = postedAt + this.#delay * this.#delayScale;
  }

  delayPoll(until: number): void {
    this.pollAt = Math.max(this.pollAt, until);
  }

  async poll(
    inFlight: ReadonlyMap<number, UnresolvedWebhook>,
    now: () => number,
    usual: number | null,
  ): Promise<ReplayDecisions | null> {
    const isComplete = this.#pollsWithoutOutcome >= POLLS_BEFORE_FULL_READ;
    const states = await this.#fetchStates([...inFlight.keys()], isComplete);
    if (states === null) return null;
    const poll = { states, isComplete, now: now(), usual, delayScale: this.#delayScale };
    const decisions = decideOnUnresolvedWebhooks([...inFlight.values()], poll);
    const hasOutcome = decisions.resolutions.length > 0;
    this.#pollsWithoutOutcome = hasOutcome ? 0 : this.#pollsWithoutOutcome + 1;
    this.#delay = getNextOutcomePollDelay(this.#delay, hasOutcome);
    this.pollAt = poll.now + this.#delay * this.#delayScale;
    return decisions;
  }
}
