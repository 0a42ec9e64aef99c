import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  createContractError,
  type Recomputation,
  type RecomputationStep,
  type RecomputedPart,
} from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { findReasonForFullCheck } from '../checks/check-inputs.ts';
import { extractPdfTexts } from '../checks/extract-pdf-texts.ts';
import { checkAllSubscriptions } from '../checks/run-check.ts';
import { ChangeEvents } from '../jobs/change-events.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import { runExclusively } from '../jobs/exclusive-change.ts';
import { findReasonForNewMatchingRun } from '../matching/match-summary.ts';
import { performMatchingRun } from '../matching/matching-run.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { countDueCheckUnits } from '../store/check-queue/check-queue.ts';
import { readCheckState } from '../store/checks/check-state.ts';
import { closeStore, connectStore } from '../store/database/open-store.ts';
import { forgetMatchInput } from '../store/matching/match-input-version.ts';
import { findLastMatchRun } from '../store/matching/match-run.ts';
import { compareResults, type PartComparison } from '../store/recomputation/compare-results.ts';
import { copySnapshot } from '../store/recomputation/copy-snapshot.ts';
import { compareMaintainedTotals } from '../store/recomputation/maintained-totals.ts';

type RecomputationContext = Pick<CommandContext, 'stores' | 'jobs' | 'locks' | 'user' | 'now' | 'unexpected'>;
type Progress = (step: RecomputationStep['step'], done: number, total: number | null) => void;

/** Minimum time between two progress events, in milliseconds. */
const PROGRESS_INTERVAL_MS = 200;
const FOLDER_PREFIX = 'recomputation-';
/** Age in milliseconds above which a copy counts as left by a killed process. Chosen by judgment. */
const ABANDONED_MS = 86_400_000;

/**
 * Computes the exceptions, payments, matches and totals of a site again in a copy, and compares them with the stored
 * ones. Yields the progress, then the result. Throws `conflict` while a job is running.
 */
export async function* recompute(
  context: RecomputationContext,
  site: string,
  signal?: AbortSignal,
): AsyncGenerator<RecomputationStep, void, undefined> {
  const ended = new AbortController();
  const aborted = AbortSignal.any([ended.signal, ...(signal ? [signal] : [])]);
  let step: RecomputationStep = { step: 'copy', done: 0, total: null, result: null };
  let result: Recomputation | null = null;
  const work = recomputeInCopy(context, site, aborted, (name, done, total) => {
    step = { step: name, done, total, result: null };
  }).then((value) => {
    result = value;
  });
  try {
    while (result === null) {
      yield step;
      await Promise.race([work, setTimeout(PROGRESS_INTERVAL_MS, undefined, { ref: false })]);
    }
    yield { ...step, step: 'comparison', result };
  } finally {
    ended.abort();
    await work.catch(() => undefined);
  }
}

async function recomputeInCopy(
  context: RecomputationContext,
  site: string,
  signal: AbortSignal,
  progress: Progress,
): Promise<Recomputation> {
  const open = context.stores.open(site);
  requireNoJob(context, site);
  removeAbandonedCopies(open.folder, context.now());
  const folder = mkdtempSync(join(open.folder, FOLDER_PREFIX));
  try {
    const path = (name: string) => join(folder, name);
    const files = ['books.db', 'cache.db'].map((name) => ({ from: join(open.folder, name), to: path(name) }));
    // The lock ensures that no other process changes a database between the starts of the two snapshots.
    const copying = runExclusively(context, site, 'the recomputation', () =>
      copySnapshot(files, signal, (done, total) => progress('copy', done, total)),
    );
    await copying;
    copyFileSync(path('books.db'), path('stored.db'));
    const copy: OpenSite = {
      ...open,
      cache: connectStore(path('cache.db'), 'cache'),
      books: connectStore(path('books.db'), 'books'),
    };
    try {
      const outdated = listReasonsForDifferences(copy, context.now());
      const totals = compareMaintainedTotals(copy.cache, copy.books);
      const unchecked = await computeResults(context, { site, copy, signal, progress });
      progress('comparison', 0, null);
      const comparisons = [...compareResults(path('books.db'), path('stored.db')), ...totals];
      return toRecomputation({ site, comparisons, unchecked, outdated });
    } finally {
      closeStore(copy.cache);
      closeStore(copy.books);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function requireNoJob({ jobs }: RecomputationContext, site: string): void {
  const job = jobs.findRunning(site);
  if (job === null) return;
  throw createContractError({
    code: 'conflict',
    message: `A job is running on ${site}, so its results are changing.`,
    hint: 'Wait until it has finished, or cancel it.',
    retryable: true,
    detail: { job: job.id },
  });
}

function removeAbandonedCopies(folder: string, now: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name.startsWith(FOLDER_PREFIX) && now - statSync(path).mtimeMs > ABANDONED_MS)
      rmSync(path, { recursive: true, force: true });
  }
}

/** Returns the reasons why the stored results are older than the records. */
function listReasonsForDifferences({ cache, books }: OpenSite, now: number): string[] {
  const waiting = countDueCheckUnits(cache, now);
  return [
    findReasonForFullCheck({ cache, books }),
    waiting > 0 && `Due for the next check: ${formatCount(waiting, 'subscription')}.`,
    findReasonForNewMatchingRun(cache, books),
  ].filter((reason) => typeof reason === 'string');
}

interface CopyToRecompute {
  readonly site: string;
  readonly copy: OpenSite;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/**
 * Checks all records of the copy, and matches all lines and payments if a matching run was ever made. The check uses
 * the time of the last check, because some rules depend on the current time. Returns the number of subscriptions that
 * could not be checked.
 */
async function computeResults(
  { user, now, unexpected }: RecomputationContext,
  { site, copy, signal, progress }: CopyToRecompute,
): Promise<number> {
  let unchecked = 0;
  const checkedAt = readCheckState(copy.cache).checked_at;
  if (checkedAt !== null) {
    const { failed } = await checkAllSubscriptions({
      site: copy,
      cause: { job: null, name: 'a recomputation' },
      signal,
      now: () => checkedAt,
      progress: (done) => progress('check', done, null),
      failed: (unit, error) => void unexpected(error, `recomputing subscription ${unit} of ${site}`),
      prepare: (units) => extractPdfTexts(copy, units, signal),
    });
    unchecked = failed;
  }
  if (findLastMatchRun(copy.books) === null) return unchecked;
  forgetMatchInput(copy.books);
  await performMatchingRun({
    context: { user, now, changes: new ChangeEvents() },
    open: copy,
    job: {
      id: 'recomputation',
      site,
      signal,
      progress: (_part, { done = 0, total = null }) => progress('matching', done, total),
    },
    accounts: null,
    dry_run: false,
  });
  return unchecked;
}

interface RecomputedSite {
  readonly site: string;
  readonly comparisons: readonly PartComparison[];
  readonly unchecked: number;
  readonly outdated: readonly string[];
}

function toRecomputation({ site, comparisons, unchecked, outdated }: RecomputedSite): Recomputation {
  const parts = new Map<RecomputedPart, { items: number; differences: number }>();
  for (const { part, items, count } of comparisons) {
    const sum = parts.get(part) ?? { items: 0, differences: 0 };
    parts.set(part, { items: sum.items + items, differences: sum.differences + count });
  }
  const isEqual = comparisons.every(({ count }) => count === 0);
  return {
    site,
    ok: isEqual && unchecked === 0,
    unchecked,
    parts: [...parts].map(([part, counts]) => ({ part, ...counts })),
    differences: comparisons.flatMap(({ differences }) => differences),
    outdated: isEqual ? [] : [...outdated],
  };
}
