import { setImmediate as breathe } from 'node:timers/promises';
import { contractError, type Job } from '../../contract/index.ts';
import { match } from '../../domain/matching/index.ts';
import { ranges } from '../bank/ranges.ts';
import { type BankTools, whileIdle } from '../bank/tools.ts';
import type { JobHandle } from '../jobs/jobs.ts';
import { noticeAfter } from '../periods/notice.ts';
import type { OpenSite } from '../sites/stores.ts';
import { addAudit } from '../store/audit.ts';
import { accountById } from '../store/bankAccount.ts';
import { commit } from '../store/database.ts';
import { refusedKeys, type Scope } from '../store/matchGround.ts';
import { beginRun, endRun, type RunFigures } from '../store/matchRun.ts';
import { groundOf } from './ground.ts';
import { renewPayments } from './renew.ts';
import { createTally } from './tally.ts';
import { foundGroups, writeGroups } from './write.ts';

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
    endRun(books, run, 'cancelled', now(), null);
    throw error;
  } finally {
    changes.tell(job.site, 'match', 'bank', 'audit');
  }
}

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
  job.progress('matches', { done: 0, current: 'comparing' });
  await breathe();
  job.signal.throwIfAborted();

  const read = performance.now();
  const { input, payouts } = groundOf(books, scope);
  const matching = match(input);
  const refused = refusedKeys(books);
  const found = () => foundGroups(matching.groups(), refused);
  const total = matching.confirmed + matching.suggested + matching.ambiguous;
  job.progress('matches', { total, current: null });
  await breathe();
  job.signal.throwIfAborted();

  const matched = performance.now();
  const tally = createTally();
  let undone: number[] = [];
  if (dry_run) for (const each of found()) tally.hear(each);
  else {
    undone = await writeGroups({
      books,
      scope,
      run,
      at: now(),
      payouts,
      signal: job.signal,
      found,
      hear: tally.hear,
      progress: (done) => {
        job.progress('matches', { done });
        changes.tell(job.site, 'match', 'bank');
      },
    });
  }
  const figures: RunFigures = {
    ...tally.figures(matching),
    took: {
      read_ms: Math.round(read - started),
      match_ms: Math.round(matched - read),
      write_ms: Math.round(performance.now() - matched),
    },
  };
  commit(books, () => {
    endRun(books, run, 'done', now(), figures);
    const { passes: _passes, took: _took, ...rest } = figures;
    const detail = { ...rest, dry_run, undone: ranges(undone) };
    addAudit(books, { at: now(), who: user, action: 'match.run', subject: String(run), detail });
  });
  await noticeAfter({ now, changes }, open, job, 'match');
  return figures;
}

function sentence(
  { confirmed, suggested, ambiguous, unmatched_lines }: RunFigures,
  dry_run: boolean,
): string {
  const matches = `${confirmed} ${confirmed === 1 ? 'match' : 'matches'}`;
  const verb = dry_run ? 'would be confirmed' : 'confirmed';
  return `${matches} ${verb}, ${suggested} suggested, ${ambiguous} ambiguous; ${unmatched_lines} lines are not explained.`;
}
