import type { BillingError } from '../../billing/index.ts';
import { contractError, type ErrorValue } from '../../contract/index.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { type StoredReplay, storedReplay } from '../store/replay/replay.ts';

/** Returns a replay. Throws `not_found`. */
export function requireReplay({ books }: OpenSite, site: string, job: string): StoredReplay {
  const replay = storedReplay(books, job);
  if (replay !== null) return replay;
  throw contractError({
    code: 'not_found',
    message: `There is no replay ${job} on ${site}.`,
    hint: 'See the list of replays for those there are.',
    retryable: false,
  });
}

/** `failed` is the service's error if the service, not the endpoint, caused the stop. */
export function replayStoppedError(reason: string, failed: BillingError | null): ErrorValue {
  const hint = 'then go on with this replay; what was not sent is still waiting.';
  return {
    code: failed?.code ?? 'service',
    message: reason,
    hint: failed === null ? `Repair the endpoint, ${hint}` : `See that the service can be reached, ${hint}`,
    retryable: failed !== null,
    detail: { stopped_by: failed === null ? 'endpoint' : 'service' },
  };
}

/** Returns the error for a plan that was already run. It names the replay. */
export function planAlreadyRunError(plan: string, { job, state }: StoredReplay): ErrorValue {
  return {
    code: 'conflict',
    message: `The plan ${plan} was carried out already: its replay ${job} is ${state}.`,
    hint: 'Make a new plan; what was accepted meanwhile is left out of it.',
    retryable: false,
    detail: { job },
  };
}

export function nothingToReplayError(plan: string): ErrorValue {
  return {
    code: 'validation',
    message: `The plan ${plan} has no webhooks to replay.`,
    hint: 'Choose others; the plan says why some were left out.',
    retryable: false,
  };
}

export function replayRunningError(site: string, live: StoredReplay): ErrorValue {
  return {
    code: 'conflict',
    message: `A replay is ${live.state} on ${site} already.`,
    hint: 'Go on with that one, or cancel it first.',
    retryable: true,
    detail: { job: live.job },
  };
}

export function replayEndedError(job: string, { state }: StoredReplay): ErrorValue {
  return {
    code: 'conflict',
    message: `The replay ${job} is ${state}; it cannot go on.`,
    hint: 'Replay its failures with a new plan.',
    retryable: false,
  };
}
