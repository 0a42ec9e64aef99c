import type { ErrorValue, Job, ReplayJob } from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { updateIncidentsAfterJob } from '../incidents/update-incidents.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import { findReplay, type StoredReplay, saveReplay } from '../store/replay/replay.ts';
import { countReplayItems } from '../store/replay/replay-figures.ts';
import { countReplayOutcomes } from '../store/replay/replay-list.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';
import type { ReplayContext } from './replay-job.ts';

export interface ReplayJobEnd {
  state: Job['state'];
  error: ErrorValue | null;
  /** Reason why the replay stopped sending, or null if it did not. */
  stopReason: string | null;
}

/** Records the end of a replay's job in the books and the audit log, and emits change events. */
export function recordReplayJobEnd(
  context: ReplayContext,
  site: OpenSite,
  job: string,
  end: ReplayJobEnd,
): void {
  const replay = findReplay(site.books, job);
  if (replay === null) return;
  runInTransaction(site.books, () => recordReplayEnd(context, site, job, decideReplayEnd(site, replay, end)));
  updateIncidentsAfterJob(context, site);
  context.changes.emit(site.file.site, 'replay', 'webhooks', 'audit');
}

function decideReplayEnd(
  site: OpenSite,
  replay: StoredReplay,
  { state, error, stopReason }: ReplayJobEnd,
): Pick<ReplayJob, 'state' | 'reason'> {
  if (stopReason !== null) return { state: 'stopped', reason: stopReason };
  if (state === 'done') return { state, reason: null };
  if (state === 'canceled') return { state, reason: describeReplayCancellation(site, replay.job) };
  if (state !== 'interrupted') return { state: 'stopped', reason: error?.message ?? null };
  // A replay paused by the user stays paused. A replay paused by the breaker probes the endpoint when it resumes.
  const isPaused = replay.state === 'paused' && replay.paused_by !== 'breaker';
  return isPaused ? { state: 'paused', reason: replay.reason } : { state, reason: null };
}

/** Records a replay's final state and the outcomes of its webhooks, in the books and in the audit log. */
export function recordReplayEnd(
  context: ReplayContext,
  site: OpenSite,
  job: string,
  { state, reason }: Pick<ReplayJob, 'state' | 'reason'>,
): void {
  const { books } = site;
  const counts = countReplayOutcomes(books, job);
  const ended: StoredReplay = {
    ...(findReplay(books, job) as StoredReplay),
    state,
    reason,
    ended_at: context.now(),
    live: null,
    counts: JSON.stringify(counts),
  };
  saveReplay(books, ended);
  const { requests_total, requests_minimum } = ended;
  const detail = { state, ...counts, requests: requests_total, requests_minimum };
  auditReplayAction(context, site, job, { action: 'replay.end', reason, detail });
}

/** Returns the message for a canceled replay, with the number of webhooks that cannot be recalled. */
export function describeReplayCancellation({ books }: OpenSite, job: string): string {
  const queued = countReplayItems(books, job, 'queued') + countReplayItems(books, job, 'sending');
  return queued === 0
    ? 'Canceled. No webhooks were in flight.'
    : `Canceled. ${formatCount(queued, 'webhook was', 'webhooks were')} already queued and cannot be recalled.`;
}

/** Returns a sentence that summarizes the outcomes of a replay's webhooks. */
export function summarizeReplayOutcomes({ books }: OpenSite, job: string): string {
  const parts = [`${countReplayItems(books, job, 'accepted')} accepted`];
  for (const outcome of ['failed', 'refused', 'unresolved'] as const) {
    const count = countReplayItems(books, job, outcome);
    if (count > 0) parts.push(`${count} ${outcome === 'failed' ? 'failed again' : outcome}`);
  }
  return `${parts.join(', ')}.`;
}

export function auditReplayAction(
  { now, user }: ReplayContext,
  { books }: OpenSite,
  job: string,
  entry: { action: string; reason: string | null | undefined; detail?: Record<string, unknown> },
): void {
  const { action, reason = null, detail = {} } = entry;
  runInTransaction(books, () =>
    addAuditEntry(books, { at: now(), user, action, subject: job, reason, detail }),
  );
}
