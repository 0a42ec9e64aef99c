import type { BillingError } from '../../billing/index.ts';
import { contractError, type ErrorValue } from '../../contract/index.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { type StoredReplay, storedReplay } from '../store/replay/replay.ts';

/** Returns a stored replay. Throws `not_found` if it does not exist. */
export function requireReplay({ books }: OpenSite, site: string, job: string): StoredReplay {
  const replay = storedReplay(books, job);
  if (replay !== null) return replay;
  throw contractError({
    code: 'not_found',
    message: `${site} has no replay ${job}.`,
    hint: 'See the list of replays.',
    retryable: false,
  });
}

/**
 * Returns the error for a stopped replay. `failed` is the service's error if the service, not the endpoint, caused the
 * stop.
 */
export function replayStoppedError(reason: string, failed: BillingError | null): ErrorValue {
  const hint = 'then resume this replay. Webhooks that were not sent are still waiting.';
  return {
    code: failed?.code ?? 'service',
    message: reason,
    hint:
      failed === null ? `Fix the endpoint, ${hint}` : `Make sure that the service can be reached, ${hint}`,
    retryable: failed !== null,
    detail: { stopped_by: failed === null ? 'endpoint' : 'service' },
  };
}

/** Returns the error for a plan that was already run. The error names the plan's replay. */
export function planAlreadyRunError(plan: string, { job, state }: StoredReplay): ErrorValue {
  return {
    code: 'conflict',
    message: `Plan ${plan} has already been run. Its replay ${job} is ${state}.`,
    hint: 'Create a new plan. It leaves out webhooks that have been accepted since.',
    retryable: false,
    detail: { job },
  };
}

export function emptyPlanError(plan: string): ErrorValue {
  return {
    code: 'validation',
    message: `Plan ${plan} has no webhooks to replay.`,
    hint: 'Choose other webhooks. The plan shows why some were left out.',
    retryable: false,
  };
}

export function replayRunningError(site: string, live: StoredReplay): ErrorValue {
  return {
    code: 'conflict',
    message: `A replay is already ${live.state} on ${site}.`,
    hint: 'Resume or cancel it first.',
    retryable: true,
    detail: { job: live.job },
  };
}

export function replayEndedError(job: string, { state }: StoredReplay): ErrorValue {
  return {
    code: 'conflict',
    message: `Replay ${job} is ${state} and cannot be resumed.`,
    hint: 'Create a new plan for its failed webhooks.',
    retryable: false,
  };
}
