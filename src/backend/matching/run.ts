import { contractError, type Job } from '../../contract/index.ts';
import { counted } from '../../domain/counted.ts';
import { type MatchInput, type Matching, matchInSteps } from '../../domain/matching/index.ts';
import { type BankTools, whileIdle } from '../bank/tools.ts';
import type { JobHandle } from '../jobs/jobs.ts';
import { createTurns } from '../jobs/turns.ts';
import { noticeAfter } from '../periods/notice.ts';
import type { OpenSite } from '../sites/stores.ts';
import { accountById } from '../store/bank/bank-account.ts';
import { addAudit } from '../store/books/audit.ts';
import { commit, SqliteError } from '../store/database.ts';
import { refusedKeys, type Scope } from '../store/matching/match-ground.ts';
import { beginRun, endRun, type RunFigures } from '../store/matching/match-run.ts';
import { groundOf } from './ground.ts';
import { passes } from './passes.ts';
import { renewPayments } from './renew.ts';
import { createTally } from './tally.ts';
import { type Found, foundGroups, writeGroups } from './write.ts';

export interface RunOrder {
  site: string;
  accounts?: readonly number[] | undefined;
  dry_run: boolean;
}

/** Starts a run of all passes as a job. Throws `not_found` for an account, `conflict` where an import or another run is under way. */
export function startRun(tools: BankTools, order: RunOrder): Job {
  const { site } = order;
  const open = tools.stores.open(site);
  const accounts = order.accounts ?? null;
  for (const id of accounts ?? []) {
    if (accountById(open.books, id) !== null) continue;
    throw contractError({
      code: 'not_found',
      message: `There is no account ${id}.`,
      hint: 'See the list of accounts for those there are.',
      retryable: false,
    });
  }
  whileIdle(tools, site);
  return tools.jobs.start({
    site,
    kind: 'match',
    what: 'the matching',
    books: open.books,
    run: (job) => perform(tools, open, job, accounts, order.dry_run),
  });
}

async function perform(
  tools: BankTools,
  open: OpenSite,
  job: JobHandle,
  scope: Scope,
  dry_run: boolean,
): Promise<string> {
  const { books } = open;
  const { user, now, changes } = tools;
  const begun = { job: job.id, dry_run, accounts: scope, at: now(), who: user };
  const run = commit(books, () => beginRun(books, begun));
  try {
    const figures = await matchAll(tools, open, job, scope, run, dry_run);
    return sentence(figures, dry_run);
  } catch (error) {
    const at = now();
    commit(books, () => {
      endRun(books, run, 'cancelled', at, null);
      const detail = { dry_run, cancelled: job.signal.aborted };
      addAudit(books, { at, who: user, action: 'match.stopped', subject: String(run), detail });
    });
    throw isOverclaim(error) ? contractError(changedMeanwhile) : error;
  } finally {
    changes.tell(job.site, 'match', 'bank', 'audit');
  }
}

/** A sync that ends while it is matched may leave a payment less than was found of it; the tables refuse to claim that. */
const isOverclaim = (error: unknown): boolean =>
  error instanceof SqliteError && error.code === 'SQLITE_CONSTRAINT_CHECK';

const changedMeanwhile = {
  code: 'conflict' as const,
  message: 'Payments changed while they were matched.',
  hint: 'Run it again: what was written stands.',
  retryable: true,
};

async function matchAll(
  { user, now, changes }: BankTools,
  open: OpenSite,
  job: JobHandle,
  scope: Scope,
  run: number,
  dry_run: boolean,
): Promise<RunFigures> {
  const { books } = open;
  const started = performance.now();
  await renewPayments(open, {
    now: now(),
    by: user,
    cause: { what: 'match', job: job.id },
    signal: job.signal,
    progress: (done) => job.progress('payments', { done }),
  });

  const read = performance.now();
  const { input, payouts } = groundOf(books, scope);
  const matching = await matched(input, job);
  const refused = refusedKeys(books);
  const found = () => foundGroups(matching.groups(), refused);
  const total = matching.confirmed + matching.suggested + matching.ambiguous;
  job.progress('matches', { done: 0, total });

  const compared = performance.now();
  const tally = createTally();
  const progress = (done: number) => {
    job.progress('matches', { done });
    if (!dry_run) changes.tell(job.site, 'match', 'bank');
  };
  const at = now();
  const detail = { run, job: job.id };
  if (dry_run) await inTurns(found(), job.signal, tally.hear, progress);
  else {
    commit(books, () =>
      addAudit(books, { at, who: user, action: 'match.begin', subject: String(run), detail }),
    );
    const writing = { books, scope, run, at, who: user, payouts, signal: job.signal, total };
    await writeGroups({ ...writing, found, hear: tally.hear, progress });
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
    const told = { ...rest, dry_run };
    addAudit(books, { at: now(), who: user, action: 'match.run', subject: String(run), detail: told });
  });
  await noticeAfter({ now, changes }, open, job, 'match');
  return figures;
}

/** How long others wait for their turn while it is matched. */
const TURN_MS = 50;

/** Matches in turns, with progress as it is; cancelled, it ends within one of them. */
async function matched(input: MatchInput, job: JobHandle): Promise<Matching> {
  const turns = createTurns(job.signal, TURN_MS);
  const steps = matchInSteps(input);
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
    if (!turns.over()) continue;
    const { part, done } = step.value;
    if (part === 'payments') payments = done;
    if (part === 'payments' || part === 'lines') {
      job.progress('rows', { done: part === 'lines' ? payments + done : done });
    } else {
      const place = passes.findIndex(({ rule }) => rule === part);
      const behind = part === 'order' ? passes.length : place;
      job.progress('rows', { done: all });
      job.progress('passes', { done: behind, total: passes.length, current: passes[place]?.title ?? null });
    }
    await turns.next();
  }
}

async function inTurns(
  found: Iterable<Found>,
  signal: AbortSignal,
  hear: (found: Found) => void,
  progress: (done: number) => void,
): Promise<void> {
  const turns = createTurns(signal, TURN_MS);
  let done = 0;
  for (const each of found) {
    hear(each);
    done++;
    if (!turns.over()) continue;
    progress(done);
    await turns.next();
  }
  progress(done);
}

function sentence(
  { confirmed, suggested, ambiguous, unmatched_lines }: RunFigures,
  dry_run: boolean,
): string {
  const matches = counted(confirmed, 'match', 'matches');
  const verb = dry_run ? 'would be confirmed' : 'confirmed';
  return `${matches} ${verb}, ${suggested} suggested, ${ambiguous} ambiguous; ${unmatched_lines} lines are not explained.`;
}
