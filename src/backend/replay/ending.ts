import type { ErrorValue, Job, ReplayJob } from '../../contract/index.ts';
import { counted } from '../../domain/counted.ts';
import type { Changes } from '../jobs/changes.ts';
import type { OpenSite } from '../sites/stores.ts';
import { addAudit } from '../store/books/audit.ts';
import { commit } from '../store/database.ts';
import { type StoredReplay, saveReplay, storedReplay } from '../store/replay/replay.ts';
import { countItems } from '../store/replay/replay-figures.ts';
import { outcomeCounts } from '../store/replay/replay-list.ts';

/** What is needed to write down what happens to a replay. */
export interface NotingTools {
  readonly changes: Changes;
  readonly user: string;
  readonly now: () => number;
}

/** Writes down how the job of a replay ended. `stopped`: why it gave up; null where it did not. */
export function endReplay(
  tools: NotingTools,
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
    if (stopped !== null) endAs(tools, open, job, 'stopped', stopped);
    else if (state === 'done') endAs(tools, open, job, 'done', null);
    else if (state === 'cancelled') endAs(tools, open, job, 'cancelled', cancelReason(open, job));
    else if (state !== 'interrupted') endAs(tools, open, job, 'stopped', error?.message ?? null);
    // What waits for the user still does; an endpoint is tried again when the replay goes on.
    else if (replay.state === 'paused' && replay.paused_by !== 'breaker') {
      endAs(tools, open, job, 'paused', replay.reason);
    } else endAs(tools, open, job, 'interrupted', null);
  });
  tools.changes.tell(site, 'replay', 'webhooks', 'audit');
}

/** Writes down how a replay ended, with what became of its webhooks, there and in the audit log. */
export function endAs(
  tools: NotingTools,
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
  note(tools, open, 'replay.end', job, reason ?? undefined, detail);
}

export function cancelReason({ books }: OpenSite, job: string): string {
  const queued = countItems(books, job, 'queued') + countItems(books, job, 'sending');
  return queued === 0
    ? 'Cancelled; nothing was underway.'
    : `Cancelled; ${counted(queued, 'webhook was', 'webhooks were')} queued already and cannot be called back.`;
}

/** What became of its webhooks, in a sentence. */
export function summary({ books }: OpenSite, job: string): string {
  const count = (outcome: Parameters<typeof countItems>[2]) => countItems(books, job, outcome);
  const parts = [`${count('accepted')} accepted`];
  for (const outcome of ['failed', 'refused', 'unresolved'] as const) {
    if (count(outcome) > 0)
      parts.push(`${count(outcome)} ${outcome === 'failed' ? 'failed again' : outcome}`);
  }
  return `${parts.join(', ')}.`;
}

/** Writes into the audit log what was done with a replay. */
export function note(
  { now, user }: NotingTools,
  { books }: OpenSite,
  action: string,
  job: string,
  why?: string | undefined,
  detail: Record<string, unknown> = {},
): void {
  const entry = { at: now(), who: user, action, subject: job, why: why ?? null, detail };
  commit(books, () => addAudit(books, entry));
}
