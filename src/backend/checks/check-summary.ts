import type { CheckNextStep, CheckSummary, ContractOutputs, SyncPartStatus } from '../../contract/index.ts';
import { checkRules } from '../../domain/checks/index.ts';
import { toMonthRange } from '../../domain/ledger/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import type { SiteFile } from '../sites/site-file.ts';
import { countChangedCheckUnits } from '../store/check-queue/check-queue.ts';
import { readCheckState } from '../store/checks/check-state.ts';
import {
  countExceptions,
  type ExceptionCount,
  type ExceptionDateRange,
  sumExceptionAges,
} from '../store/checks/exception-figures.ts';
import { findRunningCheckJob } from '../store/jobs/job.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { readSyncStatus } from '../store/sync/sync-status.ts';
import { countSelectedWebhooks } from '../store/webhooks/webhook-list.ts';
import { selectWebhooks } from '../store/webhooks/webhook-selection.ts';
import { findReasonForFullCheck } from './check-inputs.ts';

type SyncStatus = ContractOutputs['sync']['status'];

/** Severities of exceptions, most severe first. */
const SEVERITIES = ['error', 'warning', 'notice'] as const;

/** Returns the overview of a site for one month or all stored records. `now` is UTC milliseconds by the local clock. */
export function readCheckSummary(
  { cache, books, file }: { cache: ReadableDb; books: ReadableDb; file: SiteFile },
  period: string | undefined,
  now: number,
): CheckSummary {
  const days = period === undefined ? null : toMonthRange(`${period}-01`);
  const figures = countExceptions(books, days);
  const sync = readSyncStatus(cache, books, file, () => true);
  const webhooks = countWebhooksCreatedOn(cache, days);
  const checked = readCheckedState(cache, books);
  const exceptions = {
    ...sumCounts(figures),
    closed: sum(figures, ({ status, count }) => (status === 'closed' ? count : 0)),
    unassigned: sum(figures, ({ status, unassigned }) => (status === 'open' ? unassigned : 0)),
  };
  return {
    site: file.site,
    period: days === null || period === undefined ? null : { period, ...days },
    exceptions,
    by_severity: SEVERITIES.map((severity) => ({
      severity,
      ...sumCounts(figures.filter((each) => each.severity === severity)),
    })),
    by_rule: summarizeByRule(figures),
    aging: sumExceptionAges(books, formatTimestamp(now).slice(0, 10), days),
    webhooks,
    freshness: summarizeFreshness(sync),
    checked,
    next: suggestNextSteps({ exceptions, webhooks, checked }, sync, now),
  };
}

function readCheckedState(cache: ReadableDb, books: ReadableDb): CheckSummary['checked'] {
  const { checked_at, full_at } = readCheckState(cache);
  return {
    at: formatTimestamp(checked_at),
    full_at: formatTimestamp(full_at),
    waiting: countChangedCheckUnits(cache),
    running: findRunningCheckJob(books),
    stale: findReasonForFullCheck({ cache, books }),
  };
}

/** Counts the webhooks created on these days, by delivery state. Null means all days. */
function countWebhooksCreatedOn(
  cache: ReadableDb,
  days: ExceptionDateRange | null,
): CheckSummary['webhooks'] {
  const created = days === null ? {} : { since: days.first, until: days.last };
  const count = (status?: 'failed' | 'pending') =>
    countSelectedWebhooks(cache, selectWebhooks(cache, { ...created, ...(status && { status }) }));
  const [not_accepted, pending] = [count('failed'), count('pending')];
  return { total: count(), not_accepted, failed: not_accepted - pending, pending };
}

function summarizeByRule(figures: readonly ExceptionCount[]): CheckSummary['by_rule'] {
  return checkRules.flatMap(({ id, title, severity }) => {
    const figuresOfRule = figures.filter((each) => each.rule === id);
    const { open, accepted, at_stake_in_cents } = sumCounts(figuresOfRule);
    if (open + accepted === 0) return [];
    const mostSevere = SEVERITIES.find((each) =>
      figuresOfRule.some((figure) => figure.severity === each && figure.status !== 'closed'),
    );
    return [{ rule: id, title, severity: mostSevere ?? severity, open, accepted, at_stake_in_cents }];
  });
}

function sumCounts(figures: readonly ExceptionCount[]) {
  return {
    open: sum(figures, ({ status, count }) => (status === 'open' ? count : 0)),
    accepted: sum(figures, ({ status, count }) => (status === 'accepted' ? count : 0)),
    at_stake_in_cents: sum(figures, (each) => (each.status === 'open' ? each.at_stake_in_cents : 0)),
  };
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}

const MAIN_PARTS: readonly SyncPartStatus['part'][] = ['webhooks', 'statements', 'allocations'];

function summarizeFreshness({ parts, complete }: SyncStatus): CheckSummary['freshness'] {
  const oldest = parts
    .filter(({ part }) => MAIN_PARTS.includes(part))
    .sort((a, b) => (a.synced_at ?? '').localeCompare(b.synced_at ?? ''))
    .at(0);
  return { complete, parts, oldest_part: oldest?.part ?? null };
}

/** Age of the stored data in milliseconds from which a sync is recommended. */
const STALE_AFTER_MS = 24 * 3_600_000;

function suggestNextSteps(
  { exceptions, webhooks, checked }: Pick<CheckSummary, 'exceptions' | 'webhooks' | 'checked'>,
  { parts, complete, last, running }: SyncStatus,
  now: number,
): CheckNextStep[] {
  const steps: CheckNextStep[] = [];
  const addStep = (kind: CheckNextStep['kind'], message: string, count: number | null = null) =>
    void steps.push({ kind, message, count });
  const problems = sum(parts, (part) => part.problems);
  const synced = parts
    .filter(({ part }) => MAIN_PARTS.includes(part))
    .map(({ synced_at }) => Date.parse(synced_at ?? ''));
  if (last === null) addStep('sync', 'Nothing is stored yet. Sync the site.');
  else if (!complete && running === null)
    addStep('sync', 'The stored data is incomplete. Sync again before you rely on it.');
  else if (Math.min(...synced) < now - STALE_AFTER_MS && running === null) {
    addStep('sync', 'The stored data is more than a day old. Sync the site.');
  }
  if (problems > 0)
    addStep('problems', `${formatCount(problems, 'record')} could not be read. See the details.`, problems);
  if (checked.running === null && last !== null) {
    if (checked.stale !== null) addStep('check', `${checked.stale} Check everything.`);
    else if (checked.waiting > 0) {
      const message = `${formatCount(checked.waiting, 'subscription')} changed since the last check. Check again.`;
      addStep('check', message, checked.waiting);
    }
  }
  if (webhooks.not_accepted > 0) {
    const message = `${formatCount(webhooks.not_accepted, 'webhook')} never reached your accounting system. Replay them when your endpoint works.`;
    addStep('replay', message, webhooks.not_accepted);
  }
  if (exceptions.open > 0) {
    const message = `${formatCount(exceptions.open, 'exception')} to review, ${exceptions.unassigned} of them unassigned.`;
    addStep('review', message, exceptions.open);
  }
  return steps;
}
