import type { BillingError } from '../../billing/index.ts';
import { contractError, type ErrorValue } from '../../contract/index.ts';
import type { OpenSite } from '../sites/stores.ts';
import { type StoredReplay, storedReplay } from '../store/replay/replay.ts';

/** A replay that there is. Throws `not_found`. */
export function wantedReplay({ books }: OpenSite, site: string, job: string): StoredReplay {
  const replay = storedReplay(books, job);
  if (replay !== null) return replay;
  throw contractError({
    code: 'not_found',
    message: `There is no replay ${job} on ${site}.`,
    hint: 'See the list of replays for those there are.',
    retryable: false,
  });
}

/** `failed`: with what, where it was the service that made it stop, and not the endpoint. */
export function stoppedError(reason: string, failed: BillingError | null): ErrorValue {
  const hint = 'then go on with this replay; what was not sent is still waiting.';
  return {
    code: failed?.code ?? 'service',
    message: reason,
    hint: failed === null ? `Repair the endpoint, ${hint}` : `See that the service can be reached, ${hint}`,
    retryable: failed !== null,
    detail: { stopped_by: failed === null ? 'endpoint' : 'service' },
  };
}

/** The refusal of a plan that was run already; it names the replay. */
export function carriedOut(plan: string, { job, state }: StoredReplay): ErrorValue {
  return {
    code: 'conflict',
    message: `The plan ${plan} was carried out already: its replay ${job} is ${state}.`,
    hint: 'Make a new plan; what was accepted meanwhile is left out of it.',
    retryable: false,
    detail: { job },
  };
}

export function nothingToReplay(plan: string): ErrorValue {
  return {
    code: 'validation',
    message: `The plan ${plan} has no webhooks to replay.`,
    hint: 'Choose others; the plan says why some were left out.',
    retryable: false,
  };
}

export function oneAtATime(site: string, live: StoredReplay): ErrorValue {
  return {
    code: 'conflict',
    message: `A replay is ${live.state} on ${site} already.`,
    hint: 'Go on with that one, or cancel it first.',
    retryable: true,
    detail: { job: live.job },
  };
}

export function over(job: string, { state }: StoredReplay): ErrorValue {
  return {
    code: 'conflict',
    message: `The replay ${job} is ${state}; it cannot go on.`,
    hint: 'Replay its failures with a new plan.',
    retryable: false,
  };
}
