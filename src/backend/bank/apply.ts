import { setImmediate as breathe } from 'node:timers/promises';
import { contractError, type Job, type PlanRow } from '../../contract/index.ts';
import { counted } from '../../domain/counted.ts';
import type { JobHandle } from '../jobs/jobs.ts';
import { renewFor } from '../matching/renew.ts';
import { noticeAfter } from '../periods/notice.ts';
import type { OpenSite } from '../sites/stores.ts';
import { accountById, accountChanged, accountNamed, addAccount } from '../store/bank/bank-account.ts';
import { addImportRow, beginImport, endImport } from '../store/bank/bank-import.ts';
import { putLine, putPayout } from '../store/bank/bank-line.ts';
import { newLines } from '../store/bank/plan-row-list.ts';
import { addAudit } from '../store/books/audit.ts';
import { commit } from '../store/database.ts';
import { hasPayments } from '../store/matching/match-payment.ts';
import { digestNow } from './judge-plan.ts';
import type { Plan } from './plan.ts';
import { planPage } from './plan-rows.ts';
import { takeBack } from './remove.ts';
import { type BankTools, whileIdle } from './tools.ts';
import { keepSource } from './uploads.ts';

/** Rows written together; lines are by as many as they are read. */
const BATCH = 2000;

/**
 * Applies a plan as a job. Throws `validation` where it cannot be applied, `conflict` where another plan would come out by now, or
 * something else works on the lines.
 */
export function startImport(tools: BankTools, site: string, id: string): Job {
  const plan = tools.desk.plan(site, id);
  const { hindrance } = plan.shown;
  if (hindrance !== null) {
    throw contractError({
      code: 'validation',
      message: hindrance,
      hint: 'Nothing was imported.',
      retryable: false,
    });
  }
  whileIdle(tools, site);
  const open = tools.stores.open(site);
  const job = tools.jobs.start({
    site,
    kind: 'import',
    what: 'an import',
    books: open.books,
    run: (handle) => apply(tools, open, plan, handle),
  });
  tools.desk.hold(id);
  return job;
}

async function apply(tools: BankTools, open: OpenSite, plan: Plan, job: JobHandle): Promise<string> {
  try {
    const id = await addAll(tools, open, plan, job);
    // So that there is something to hold the first lines against before they are matched.
    if (!hasPayments(open.books)) await renewFor(tools, open, job, 'import');
    await noticeAfter(tools, open, job, 'import');
    return sentence(plan, id);
  } finally {
    tools.desk.forget(plan.id);
  }
}

/** Adds the new lines of a plan; all of them, or none. Gives the import. */
async function addAll(tools: BankTools, open: OpenSite, plan: Plan, job: JobHandle): Promise<number> {
  const { books, folder } = open;
  const { upload } = plan;
  job.progress('lines', { done: 0, total: plan.shown.rows.new, current: upload.name });
  keepSource(folder, upload, plan.sha256);
  const { account, id } = begin(tools, open, plan, job.id);
  try {
    let done = 0;
    for (const lines of newLines(plan.rows)) {
      await breathe();
      job.signal.throwIfAborted();
      commit(books, () => {
        for (const line of lines) {
          putLine(books, { ...line, account_id: account, import_id: id }, line.is_back === 1);
        }
      });
      done += lines.length;
      job.progress('lines', { done });
      tools.changes.tell(job.site, 'bank');
    }
    for (const rows of remarkedRows(plan)) {
      await breathe();
      job.signal.throwIfAborted();
      commit(books, () => {
        for (const row of rows) addImportRow(books, id, row);
      });
    }
    end(tools, open, plan, account, id);
  } catch (error) {
    await takeBack(open, id, {
      at: tools.now(),
      by: tools.user,
      reason: 'It was stopped before its end.',
    });
    throw error;
  } finally {
    tools.changes.tell(job.site, 'bank', 'match', 'audit');
  }
  return id;
}

/** Rows that are no new lines, and new lines there is something to look at in, some at a time. */
function* remarkedRows(plan: Plan): Generator<PlanRow[]> {
  let after: string | undefined;
  do {
    const { rows, next } = planPage(plan, { remarked: true, after, limit: BATCH });
    yield rows;
    after = next ?? undefined;
  } while (after !== undefined);
}

/** Makes the account where it is new, and the import; the plan is held once more against what is there now. */
function begin(tools: BankTools, open: OpenSite, plan: Plan, job: string): { account: number; id: number } {
  const { books } = open;
  const { shown, upload, file } = plan;
  return commit(books, () => {
    const known =
      plan.account.id === null ? accountNamed(books, plan.account.name) : accountById(books, plan.account.id);
    const isOld = known === null ? plan.account.id !== null : known.changes !== plan.changes;
    if (
      isOld &&
      digestNow(open, { ...plan, account: { ...plan.account, id: known?.id ?? null } }) !== plan.digest
    ) {
      throw contractError({
        code: 'conflict',
        message: `The lines of “${plan.account.name}” have changed since the preview.`,
        hint: 'Make the preview again.',
        retryable: false,
      });
    }
    const account =
      known?.id ?? addAccount(books, { ...plan.account, currency: null, window_from: null, window_to: null });
    const id = beginImport(books, {
      account_id: account,
      file: upload.name,
      bytes: upload.bytes,
      sha256: plan.sha256,
      format: file.format ?? '',
      dialect: file.dialect,
      profile: file.profile?.name ?? null,
      at: tools.now(),
      who: tools.user,
      job,
      digest: plan.digest,
      rows: shown.rows,
      first_on: shown.first_on,
      last_on: shown.last_on,
      statements: shown.statements,
    });
    return { account, id };
  });
}

function end(tools: BankTools, { books }: OpenSite, plan: Plan, account: number, id: number): void {
  const { shown, sha256, upload, digest } = plan;
  commit(books, () => {
    for (const payout of plan.file.payouts) {
      putPayout(books, {
        account_id: account,
        import_id: id,
        payout_id: payout.payout_id,
        currency: payout.currency ?? plan.currency,
        paid_on: payout.paid_on ?? payout.last_on,
        stated_in_cents: payout.stated_in_cents,
      });
    }
    endImport(books, id);
    accountChanged(books, account, plan.number);
    addAudit(books, {
      at: tools.now(),
      who: tools.user,
      action: 'bank.import',
      subject: String(id),
      detail: { account: plan.account.name, file: upload.name, sha256, digest, rows: shown.rows },
    });
  });
}

function sentence({ shown, upload }: Plan, id: number): string {
  const { rows } = shown;
  const rest = [
    [rows.duplicate, 'held already'],
    [rows.skipped, 'left out'],
    [rows.failed, 'not readable'],
  ] as const;
  const also = rest.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return `Import ${id}: ${counted(rows.new, 'line')} of ${upload.name}${also.length === 0 ? '' : `; ${also.join(', ')}`}.`;
}
