import { createContractError, type Job, type MatchRun } from '../../contract/index.ts';
import {
  type MatchInput,
  type MatchingResult,
  type MatchingStep,
  runMatchingInSteps,
} from '../../domain/matching/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { detectChangesAfterJob } from '../changes-since-sign-off/detect-changes-since-sign-off.ts';
import { type DecisionContext, requireIdleSite } from '../jobs/exclusive-change.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import { requireRecord } from '../shared/require-record.ts';
import { createTimeSlices } from '../shared/time-slices.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import { findBankAccount } from '../store/bank/bank-account.ts';
import { countMatchInputChanges } from '../store/matching/match-input-version.ts';
import {
  beginMatchRun,
  endMatchRun,
  findEquivalentMatchRun,
  type MatchRunFigures,
} from '../store/matching/match-run.ts';
import { listUndoneMatchKeys, type MatchRunAccounts } from '../store/matching/matching-input.ts';
import { runInTransaction, SqliteError } from '../store/sqlite/connection.ts';
import { readMatchingInputs } from './matching-inputs.ts';
import { MATCHING_PASSES_VERSION, matchingPasses } from './matching-passes.ts';
import { RunTally } from './run-tally.ts';
import { updatePayments } from './update-payments.ts';
import { type MatchToStore, toMatchesToStore, writeMatches } from './write-matches.ts';

export interface MatchingRunOptions {
  site: string;
  accounts?: readonly number[] | undefined;
  dry_run: boolean;
}

/** A matching run on a site's databases. */
interface MatchingRun {
  context: Pick<DecisionContext, 'user' | 'now' | 'changes'>;
  open: OpenSite;
  job: Pick<JobHandle, 'id' | 'site' | 'signal' | 'progress'>;
  /** Accounts whose lines are matched. Null for all. */
  accounts: MatchRunAccounts;
  dry_run: boolean;
}

/** Figures of a run, except the duration of reading the payments. */
interface RunResult extends Omit<MatchRunFigures, 'durations'> {
  readonly durations: { readonly match_ms: number; readonly write_ms: number };
}

/**
 * Starts a matching run as a job. Throws `not_found` for an unknown account, and `conflict` while an import or another
 * matching run is active.
 */
export function startMatchingRun(context: DecisionContext, options: MatchingRunOptions): Job {
  const { site, accounts = null, dry_run } = options;
  const open = context.stores.open(site);
  for (const id of accounts ?? [])
    requireRecord(findBankAccount(open.books, id), `account ${id}`, 'See the list of accounts.');
  requireIdleSite(context, site);
  return context.jobs.start({
    site,
    kind: 'match',
    noun: 'the matching',
    books: open.books,
    run: (job) => performMatchingRun({ context, open, job, accounts, dry_run }),
  });
}

/** Performs a matching run. Returns a one-sentence summary. Throws `conflict` if payments change during the run. */
export async function performMatchingRun(run: MatchingRun): Promise<string> {
  const { open, job, accounts, dry_run } = run;
  const { books } = open;
  const { user, now, changes } = run.context;
  const start = { job: job.id, dry_run, accounts, at: now(), user };
  const id = runInTransaction(books, () => beginMatchRun(books, start));
  try {
    return await performRun(run, id);
  } catch (error) {
    recordStop(run, id);
    throw isOverAllocated(error) ? createContractError(paymentsChangedError) : error;
  } finally {
    changes.emit(job.site, 'match', 'bank', 'audit');
  }
}

/**
 * Updates the payments and matches them with the lines. If the previous run had the same input, its matches are still
 * correct, and only its figures are recorded again. A dry run always matches.
 */
async function performRun(run: MatchingRun, id: number): Promise<string> {
  const { context, open, job, accounts, dry_run } = run;
  const { books } = open;
  const startedAt = performance.now();
  await updatePayments(open, {
    now: context.now(),
    by: context.user,
    cause: { action: 'match', job: job.id },
    signal: job.signal,
    progress: (done) => job.progress('payments', { done }),
  });
  const updatedAt = performance.now();
  const input = `${MATCHING_PASSES_VERSION} ${countMatchInputChanges(books)}`;
  const equal = dry_run ? null : findEquivalentMatchRun(books, accounts, input);
  const found = equal === null ? await matchAll(run, id) : repeatFigures(equal);
  const figures = { ...found, durations: { read_ms: Math.round(updatedAt - startedAt), ...found.durations } };
  recordRun(run, id, { input, figures, equal });
  await detectChangesAfterJob(context, open, job, 'match');
  return equal === null
    ? summarizeRun(figures, dry_run)
    : `Nothing has changed since run ${equal.id}. ${summarizeRun(figures, dry_run)}`;
}

/** Records that a run was stopped. If the disk is full, the next opening of the books records the stop. */
function recordStop(
  { open: { books }, context: { now, user }, job, dry_run }: MatchingRun,
  id: number,
): void {
  const at = now();
  try {
    runInTransaction(books, () => {
      endMatchRun(books, id, { state: 'canceled', ended_at: at }, null);
      const detail = { dry_run, canceled: job.signal.aborted };
      addAuditEntry(books, { at, user, action: 'match.stopped', subject: String(id), detail });
    });
  } catch (error) {
    if (!(error instanceof SqliteError)) throw error;
  }
}

/**
 * Returns true if the database triggers refused an allocation, which happens if a sync reduces a payment below the
 * matched amount during the run.
 */
const isOverAllocated = (error: unknown): boolean =>
  error instanceof SqliteError && error.code === 'SQLITE_CONSTRAINT_CHECK';

const paymentsChangedError = {
  code: 'conflict' as const,
  message: 'Payments changed during the matching run.',
  hint: 'Run it again. The matches written so far are kept.',
  retryable: true,
};

/** Matches the payments with the lines and writes the matches, unless it is a dry run. */
async function matchAll(run: MatchingRun, id: number): Promise<RunResult> {
  const { context, open, job, accounts, dry_run } = run;
  const { books } = open;
  const { user, now, changes } = context;
  const startedAt = performance.now();
  const { input, payouts } = readMatchingInputs(books, accounts);
  const matching = await runMatchingInTimeSlices(input, job);
  const refusedKeys = listUndoneMatchKeys(books);
  const found = () => toMatchesToStore(matching.groups(), refusedKeys);
  const total = matching.confirmed + matching.suggested + matching.ambiguous;
  job.progress('matches', { done: 0, total });

  const matchedAt = performance.now();
  const tally = new RunTally();
  const onMatch = (match: MatchToStore) => tally.addMatch(match);
  const progress = (done: number) => {
    job.progress('matches', { done });
    if (!dry_run) changes.emit(job.site, 'match', 'bank');
  };
  const at = now();
  const subject = String(id);
  if (dry_run) await countInTimeSlices(found(), job.signal, onMatch, progress);
  else {
    const detail = { run: id, job: job.id };
    runInTransaction(books, () => addAuditEntry(books, { at, user, action: 'match.begin', subject, detail }));
    const { signal } = job;
    await writeMatches({
      books,
      accounts,
      run: id,
      at,
      user,
      payouts,
      signal,
      total,
      found,
      onMatch,
      progress,
    });
  }
  const durations = {
    match_ms: Math.round(matchedAt - startedAt),
    write_ms: Math.round(performance.now() - matchedAt),
  };
  return { ...tally.figures(matching), durations };
}

/** Returns the figures of an earlier run for a run that matched nothing itself. */
function repeatFigures(equal: MatchRun): RunResult {
  const { passes, confirmed, suggested, ambiguous, unmatched_lines, unmatched_payments, digest } = equal;
  const durations = { match_ms: 0, write_ms: 0 };
  return { passes, confirmed, suggested, ambiguous, unmatched_lines, unmatched_payments, digest, durations };
}

function recordRun(
  { open: { books }, context: { now, user }, dry_run }: MatchingRun,
  id: number,
  { input, figures, equal }: { input: string; figures: MatchRunFigures; equal: MatchRun | null },
): void {
  runInTransaction(books, () => {
    endMatchRun(books, id, { state: 'done', ended_at: now(), input }, figures);
    const { passes: _passes, durations: _durations, ...counts } = figures;
    const detail = { ...counts, dry_run, ...(equal === null ? {} : { unchanged_since: equal.id }) };
    addAuditEntry(books, { at: now(), user, action: 'match.run', subject: String(id), detail });
  });
}

/** Length of a time slice in milliseconds, after which the thread can do other work. Chosen by judgment. */
const TIME_SLICE_MS = 50;

/** Runs the matching in time slices and reports its progress. A cancellation takes effect within one slice. */
async function runMatchingInTimeSlices(input: MatchInput, job: MatchingRun['job']): Promise<MatchingResult> {
  const timeSlices = createTimeSlices(job.signal, TIME_SLICE_MS);
  const steps = runMatchingInSteps(input);
  const rows = (input.expected?.payments ?? 0) + (input.expected?.lines ?? 0);
  job.progress('rows', { done: 0, total: rows });
  let payments = 0;
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) {
      reportPasses(job, rows, matchingPasses.length);
      return step.value;
    }
    if (!timeSlices.isOver()) continue;
    const { part, done } = step.value;
    if (part === 'payments') payments = done;
    if (part === 'payments') job.progress('rows', { done });
    else if (part === 'lines') job.progress('rows', { done: payments + done });
    else reportPasses(job, rows, findPassIndex(part));
    await timeSlices.next();
  }
}

const findPassIndex = (part: MatchingStep['part']): number =>
  part === 'order' ? matchingPasses.length : matchingPasses.findIndex(({ rule }) => rule === part);

function reportPasses(job: MatchingRun['job'], rows: number, index: number): void {
  job.progress('rows', { done: rows });
  job.progress('passes', {
    done: index,
    total: matchingPasses.length,
    current: matchingPasses[index]?.title ?? null,
  });
}

async function countInTimeSlices(
  found: Iterable<MatchToStore>,
  signal: AbortSignal,
  onMatch: (match: MatchToStore) => void,
  progress: (done: number) => void,
): Promise<void> {
  const timeSlices = createTimeSlices(signal, TIME_SLICE_MS);
  let done = 0;
  for (const match of found) {
    onMatch(match);
    done++;
    if (!timeSlices.isOver()) continue;
    progress(done);
    await timeSlices.next();
  }
  progress(done);
}

function summarizeRun(
  { confirmed, suggested, ambiguous, unmatched_lines }: MatchRunFigures,
  dry_run: boolean,
): string {
  const matches = formatCount(confirmed, 'match', 'matches');
  const verb = dry_run ? 'would be confirmed' : 'confirmed';
  return `${matches} ${verb}, ${suggested} suggested, ${ambiguous} ambiguous; ${unmatched_lines} lines unmatched.`;
}
