import type { BillingError } from '../../billing/index.ts';
import { createContractError, createNonRetryableError } from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { findReplay, type StoredReplay } from '../store/replay/replay.ts';

/** Returns a stored replay. Throws `not_found` if it does not exist. */
export function requireReplay({ books, file }: OpenSite, job: string): StoredReplay {
  const replay = findReplay(books, job);
  if (replay !== null) return replay;
  throw createNonRetryableError(
    'not_found',
    `Site ${file.site} has no replay ${job}.`,
    'See the list of replays.',
  );
}

/** Returns the error for a stopped replay. `failed` is the service's error if the service caused the stop. */
export function replayStoppedError(reason: string, failed: BillingError | null) {
  const action = failed === null ? 'Fix the endpoint' : 'Make sure that the service can be reached';
  return createContractError({
    code: failed?.code ?? 'service',
    message: reason,
    hint: `${action}, then resume this replay. Webhooks that were not sent are still waiting.`,
    retryable: failed !== null,
    detail: { stopped_by: failed === null ? 'endpoint' : 'service' },
  });
}

/** Returns the error for a plan that has already been run. The error names the plan's replay. */
export function replayPlanAlreadyRunError(plan: string, { job, state }: StoredReplay) {
  return createNonRetryableError(
    'conflict',
    `Plan ${plan} has already been run. Its replay ${job} is ${state}.`,
    'Create a new plan. It leaves out webhooks that have been accepted in the meantime.',
    { job },
  );
}

export function emptyReplayPlanError(plan: string) {
  return createNonRetryableError(
    'validation',
    `Plan ${plan} has no webhooks to replay.`,
    'Choose other webhooks. The plan shows why webhooks were left out.',
  );
}

export function replayRunningError(site: string, live: StoredReplay) {
  return createContractError({
    code: 'conflict',
    message: `Site ${site} already has a ${live.state} replay.`,
    hint: 'Resume or cancel it first.',
    retryable: true,
    detail: { job: live.job },
  });
}

export function replayEndedError(job: string, { state }: StoredReplay) {
  return createNonRetryableError(
    'conflict',
    `Replay ${job} is ${state} and cannot be resumed.`,
    'Create a new plan for its failed webhooks.',
  );
}

/** Throws `validation` unless a local delivery is confirmed with the plan's host and number of webhooks. */
export function requireConfirmation(
  { endpoint, count, plan }: { endpoint: string; count: number; plan: string },
  confirm: { host: string; count: number } | undefined,
): void {
  const { host } = new URL(endpoint);
  if (confirm?.host.toLowerCase() === host && confirm.count === count) return;
  const webhooks = formatCount(count, 'webhook');
  const given =
    confirm === undefined ? '' : `, not ${formatCount(confirm.count, 'webhook')} to ${confirm.host}`;
  throw createNonRetryableError(
    'validation',
    `Plan ${plan} posts ${webhooks} to ${host}${given}. Nothing was sent.`,
    `Confirm the delivery of ${webhooks} to ${host}.`,
    { host, count },
  );
}
