import { contractError, type Job } from '../../contract/index.ts';
import { type MatchInput, type MatchingResult, runMatchingInSteps } from '../../domain/matching/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { detectChangesAfterJob } from '../changes-since-sign-off/detect-changes.ts';
import type { DecisionContext } from '../jobs/exclusive-change.ts';
import { requireIdleSite } from '../jobs/exclusive-change.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import { createTimeSlices } from '../shared/time-slices.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { addAudit } from '../store/audit-log/audit-log.ts';
import { accountById } from '../store/bank/bank-account.ts';
import { refusedKeys, type Scope } from '../store/matching/match-ground.ts';
import { beginRun, endRun, type RunFigures } from '../store/matching/match-run.ts';
import { commit, SqliteError } from '../store/sqlite/connection.ts';
import { readMatchingInputs } from './matching-inputs.ts';
import { passes } from './matching-passes.ts';
import { createRunTally } from './run-tally.ts';
import { updatePayments } from './update-payments.ts';
import { type FoundMatch, toFoundMatches, writeMatches } from './write-matches.ts';

export interface MatchingRunOptions {
  site: string;
  accounts?: readonly number[] | undefined;
  dry_run: boolean;
}

/**
 * Starts a matching run as a job. Throws `not_found` for an unknown account, and `conflict` while an import or another
 * matching run is active.
 */
export function startMatchingRun(tools: DecisionContext, options: MatchingRunOptions): Job {
  const { site } = options;
  const open = tools.stores.open(site);
  const accounts = options.accounts ?? null;
  for (const id of accounts ?? []) {
    if (accountById(open.books, id) !== null) continue;
    throw contractError({
      code: 'not_found',
      message: `There is no account ${id}.`,
      hint: 'See the list of accounts for those there are.',
      retryable: false,
    });
  }
  requireIdleSite(tools, site);
  return tools.jobs.start({
    site,
    kind: 'match',
    noun: 'the matching',
    books: open.books,
    run: (job) => performMatchingRun(tools, open, job, accounts, options.dry_run),
  });
}

async function performMatchingRun(
  tools: DecisionContext,
  open: OpenSite,
  job: JobHandle,
  scope: Scope,
  dry_run: boolean,
): Promise<string> {
  const { books } = open;
  const { user, now, changes } = tools;
  const runStart = { job: job.id, dry_run, accounts: scope, at: now(), user: user };
  const run = commit(books, () => beginRun(books, runStart));
  try {
    const figures = await matchAll(tools, open, job, scope, run, dry_run);
    return summarizeRun(figures, dry_run);
  } catch (error) {
    const at = now();
    commit(books, () => {
      endRun(books, run, 'canceled', at, null);
      const detail = { dry_run, canceled: job.signal.aborted };
      addAudit(books, { at, user: user, action: 'match.stopped', subject: String(run), detail });
    });
    throw isOverAllocated(error) ? contractError(paymentsChangedError) : error;
  } finally {
    changes.emit(job.site, 'match', 'bank', 'audit');
  }
}

/**
 * Returns true if the triggers refused an allocation. This happens if a sync reduces a payment below the matched amount
 * during the run.
 */
const isOverAllocated = (error: unknown): boolean =>
  error instanceof SqliteError && error.code === 'SQLITE_CONSTRAINT_CHECK';

const paymentsChangedError = {
  code: 'conflict' as const,
  message: 'Payments changed while they were matched.',
  hint: 'Run it again: what was written stands.',
  retryable: true,
};

async function matchAll(
  { user, now, changes }: DecisionContext,
  open: OpenSite,
  job: JobHandle,
  scope: Scope,
  run: number,
  dry_run: boolean,
): Promise<RunFigures> {
  const { books } = open;
  const started = performance.now();
  await updatePayments(open, {
    now: now(),
    by: user,
    cause: { action: 'match', job: job.id },
    signal: job.signal,
    progress: (done) => job.progress('payments', { done }),
  });

  const read = performance.now();
  const { input, payouts } = readMatchingInputs(books, scope);
  const matching = await runMatchingInTimeSlices(input, job);
  const refused = refusedKeys(books);
  const found = () => toFoundMatches(matching.groups(), refused);
  const total = matching.confirmed + matching.suggested + matching.ambiguous;
  job.progress('matches', { done: 0, total });

  const compared = performance.now();
  const tally = createRunTally();
  const progress = (done: number) => {
    job.progress('matches', { done });
    if (!dry_run) changes.emit(job.site, 'match', 'bank');
  };
  const at = now();
  const detail = { run, job: job.id };
  if (dry_run) await countInTimeSlices(found(), job.signal, tally.addMatch, progress);
  else {
    commit(books, () =>
      addAudit(books, { at, user: user, action: 'match.begin', subject: String(run), detail }),
    );
    const writing = { books, scope, run, at, user: user, payouts, signal: job.signal, total };
    await writeMatches({ ...writing, found, onMatch: tally.addMatch, progress });
  }
  const figures: RunFigures = {
    ...tally.figures(matching),
    took: {
      read_ms: Math.round(read - started),
      match_ms: Math.round(compared - read),
      write_ms: Math.round(performance.now() - compared),
    },
  };
  commit(books, () => {
    endRun(books, run, 'done', now(), figures);
    const { passes: _passes, took: _took, ...rest } = figures;
    const auditDetail = { ...rest, dry_run };
    addAudit(books, {
      at: now(),
      user: user,
      action: 'match.run',
      subject: String(run),
      detail: auditDetail,
    });
  });
  await detectChangesAfterJob({ now, changes }, open, job, 'match');
  return figures;
}

/** Length of a time slice in milliseconds, after which other work of the thread can run. */
const TIME_SLICE_MS = 50;

/** Runs the matching in time slices and reports its progress. A cancellation takes effect within one slice. */
async function runMatchingInTimeSlices(input: MatchInput, job: JobHandle): Promise<MatchingResult> {
  const timeSlices = createTimeSlices(job.signal, TIME_SLICE_MS);
  const steps = runMatchingInSteps(input);
  const all = (input.expected?.payments ?? 0) + (input.expected?.lines ?? 0);
  job.progress('rows', { done: 0, total: all });
  let payments = 0;
  for (;;) {
    const step = steps.next();
    if (step.done) {
      job.progress('rows', { done: all });
      job.progress('passes', { done: passes.length, total: passes.length, current: null });
      return step.value;
    }
    if (!timeSlices.isOver()) continue;
    const { part, done } = step.value;
    if (part === 'payments') payments = done;
    if (part === 'payments' || part === 'lines') {
      job.progress('rows', { done: part === 'lines' ? payments + done : done });
    } else {
      const passIndex = passes.findIndex(({ rule }) => rule === part);
      const completedPasses = part === 'order' ? passes.length : passIndex;
      job.progress('rows', { done: all });
      job.progress('passes', {
        done: completedPasses,
        total: passes.length,
        current: passes[passIndex]?.title ?? null,
      });
    }
    await timeSlices.next();
  }
}

async function countInTimeSlices(
  found: Iterable<FoundMatch>,
  signal: AbortSignal,
  onMatch: (found: FoundMatch) => void,
  progress: (done: number) => void,
): Promise<void> {
  const timeSlices = createTimeSlices(signal, TIME_SLICE_MS);
  let done = 0;
  for (const each of found) {
    onMatch(each);
    done++;
    if (!timeSlices.isOver()) continue;
    progress(done);
    await timeSlices.next();
  }
  progress(done);
}

function summarizeRun(
  { confirmed, suggested, ambiguous, unmatched_lines }: RunFigures,
  dry_run: boolean,
): string {
  const matches = formatCount(confirmed, 'match', 'matches');
  const verb = dry_run ? 'would be confirmed' : 'confirmed';
  return `${matches} ${verb}, ${suggested} suggested, ${ambiguous} ambiguous; ${unmatched_lines} lines are not explained.`;
}
