import type { ErrorValue, Job, ReplayJob } from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import type { ChangeEvents } from '../jobs/change-events.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { addAudit } from '../store/audit-log/audit-log.ts';
import { type StoredReplay, saveReplay, storedReplay } from '../store/replay/replay.ts';
import { countItems } from '../store/replay/replay-figures.ts';
import { outcomeCounts } from '../store/replay/replay-list.ts';
import { commit } from '../store/sqlite/connection.ts';

/** Dependencies for recording replay actions and results. */
export interface ReplayRecordingContext {
  readonly changes: ChangeEvents;
  readonly user: string;
  readonly now: () => number;
}

/** Records the end of a replay's job. `stopped` is the reason why the replay gave up, or null if it did not. */
export function recordReplayJobEnd(
  tools: ReplayRecordingContext,
  open: OpenSite,
  site: string,
  job: string,
  state: Job['state'],
  stopped: string | null,
  error: ErrorValue | null,
): void {
  const replay = storedReplay(open.books, job);
  if (replay === null) return;
  commit(open.books, () => {
    if (stopped !== null) recordReplayEnd(tools, open, job, 'stopped', stopped);
    else if (state === 'done') recordReplayEnd(tools, open, job, 'done', null);
    else if (state === 'canceled')
      recordReplayEnd(tools, open, job, 'canceled', replayCancelReason(open, job));
    else if (state !== 'interrupted') recordReplayEnd(tools, open, job, 'stopped', error?.message ?? null);
    // What waits for the user still does; an endpoint is tried again when the replay goes on.
    else if (replay.state === 'paused' && replay.paused_by !== 'breaker') {
      recordReplayEnd(tools, open, job, 'paused', replay.reason);
    } else recordReplayEnd(tools, open, job, 'interrupted', null);
  });
  tools.changes.emit(site, 'replay', 'webhooks', 'audit');
}

/** Records a replay's final state and the outcomes of its webhooks, in the books and in the audit log. */
export function recordReplayEnd(
  tools: ReplayRecordingContext,
  open: OpenSite,
  job: string,
  state: ReplayJob['state'],
  reason: string | null,
): void {
  const { books } = open;
  const counts = outcomeCounts(books, job);
  const ended: StoredReplay = {
    ...(storedReplay(books, job) as StoredReplay),
    state,
    reason,
    ended_at: tools.now(),
    live: null,
    counts: JSON.stringify(counts),
  };
  saveReplay(books, ended);
  const { requests_total, requests_minimum } = ended;
  const detail = { state, ...counts, requests: requests_total, requests_minimum };
  auditReplay(tools, open, 'replay.end', job, reason ?? undefined, detail);
}

export function replayCancelReason({ books }: OpenSite, job: string): string {
  const queued = countItems(books, job, 'queued') + countItems(books, job, 'sending');
  return queued === 0
    ? 'Canceled. No webhooks were in flight.'
    : `Canceled. ${formatCount(queued, 'webhook was', 'webhooks were')} already queued and cannot be recalled.`;
}

/** Returns a sentence that summarizes the outcomes of a replay's webhooks. */
export function replaySummary({ books }: OpenSite, job: string): string {
  const count = (outcome: Parameters<typeof countItems>[2]) => countItems(books, job, outcome);
  const parts = [`${count('accepted')} accepted`];
  for (const outcome of ['failed', 'refused', 'unresolved'] as const) {
    if (count(outcome) > 0)
      parts.push(`${count(outcome)} ${outcome === 'failed' ? 'failed again' : outcome}`);
  }
  return `${parts.join(', ')}.`;
}

/** Adds an action on a replay to the audit log. */
export function auditReplay(
  { now, user }: ReplayRecordingContext,
  { books }: OpenSite,
  action: string,
  job: string,
  why?: string | undefined,
  detail: Record<string, unknown> = {},
): void {
  const entry = { at: now(), user: user, action, subject: job, reason: why ?? null, detail };
  commit(books, () => addAudit(books, entry));
}
