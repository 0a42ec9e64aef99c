import { contractError, type Job, type PlanRow } from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { detectChangesAfterJob } from '../changes-since-sign-off/detect-changes.ts';
import { requireIdleSite } from '../jobs/exclusive-change.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import { updatePaymentsAfterJob } from '../matching/update-payments.ts';
import { yieldToEventLoop } from '../shared/time-slices.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { addAudit } from '../store/audit-log/audit-log.ts';
import { accountById, accountChanged, accountNamed, addAccount } from '../store/bank/bank-account.ts';
import { addImportRow, beginImport, endImport } from '../store/bank/bank-import.ts';
import { putLine, putPayout } from '../store/bank/bank-line.ts';
import { newLines } from '../store/bank/plan-row-list.ts';
import { hasPayments } from '../store/matching/match-payment.ts';
import { commit } from '../store/sqlite/connection.ts';
import type { BankContext } from './bank-context.ts';
import { currentPlanDigest } from './compare-with-stored-lines.ts';
import type { StoredImportPlan } from './import-plan.ts';
import { listPlanPage } from './plan-rows.ts';
import { removeImport } from './remove-import.ts';
import { storeSourceFile } from './uploads.ts';

/** Number of rows written per transaction. */
const ROWS_PER_TRANSACTION = 2000;

/**
 * Starts a job that applies an import plan. Throws `validation` if the plan cannot be applied, and `conflict` if the
 * stored lines have changed since the preview or another job is changing them.
 */
export function startImport(tools: BankContext, site: string, id: string): Job {
  const plan = tools.importSession.getPlan(site, id);
  const { blocker } = plan.shown;
  if (blocker !== null) {
    throw contractError({
      code: 'validation',
      message: blocker,
      hint: 'Nothing was imported.',
      retryable: false,
    });
  }
  requireIdleSite(tools, site);
  const open = tools.stores.open(site);
  const job = tools.jobs.start({
    site,
    kind: 'import',
    noun: 'an import',
    books: open.books,
    run: (handle) => applyPlan(tools, open, plan, handle),
  });
  tools.importSession.protectPlan(id);
  return job;
}

async function applyPlan(
  tools: BankContext,
  open: OpenSite,
  plan: StoredImportPlan,
  job: JobHandle,
): Promise<string> {
  try {
    const id = await addNewLines(tools, open, plan, job);
    // The first imported lines need payments to be matched with.
    if (!hasPayments(open.books)) await updatePaymentsAfterJob(tools, open, job, 'import');
    await detectChangesAfterJob(tools, open, job, 'import');
    return summarizeImport(plan, id);
  } finally {
    tools.importSession.removePlan(plan.id);
  }
}

/** Adds all new lines of a plan, or none. Returns the import's id. */
async function addNewLines(
  tools: BankContext,
  open: OpenSite,
  plan: StoredImportPlan,
  job: JobHandle,
): Promise<number> {
  const { books, folder } = open;
  const { upload } = plan;
  job.progress('lines', { done: 0, total: plan.shown.rows.new, current: upload.name });
  storeSourceFile(folder, upload, plan.sha256);
  const { account, id } = beginPlannedImport(tools, open, plan, job.id);
  try {
    let done = 0;
    for (const lines of newLines(plan.rows)) {
      await yieldToEventLoop();
      job.signal.throwIfAborted();
      commit(books, () => {
        for (const line of lines) {
          putLine(books, { ...line, account_id: account, import_id: id }, line.is_back === 1);
        }
      });
      done += lines.length;
      job.progress('lines', { done });
      tools.changes.emit(job.site, 'bank');
    }
    for (const rows of rowsWithRemarks(plan)) {
      await yieldToEventLoop();
      job.signal.throwIfAborted();
      commit(books, () => {
        for (const row of rows) addImportRow(books, id, row);
      });
    }
    endPlannedImport(tools, open, plan, account, id);
  } catch (error) {
    await removeImport(open, id, {
      at: tools.now(),
      by: tools.user,
      reason: 'It was stopped before its end.',
    });
    throw error;
  } finally {
    tools.changes.emit(job.site, 'bank', 'match', 'audit');
  }
  return id;
}

/** Yields the rows that are not new lines, and the new lines with remarks, in batches. */
function* rowsWithRemarks(plan: StoredImportPlan): Generator<PlanRow[]> {
  let after: string | undefined;
  do {
    const { rows, next } = listPlanPage(plan, { remarked: true, after, limit: ROWS_PER_TRANSACTION });
    yield rows;
    after = next ?? undefined;
  } while (after !== undefined);
}

/** Checks that the plan is still current, then creates the import, and the account if it is new. */
function beginPlannedImport(
  tools: BankContext,
  open: OpenSite,
  plan: StoredImportPlan,
  job: string,
): { account: number; id: number } {
  const { books } = open;
  const { shown, upload, file } = plan;
  return commit(books, () => {
    const known =
      plan.account.id === null ? accountNamed(books, plan.account.name) : accountById(books, plan.account.id);
    const isStale = known === null ? plan.account.id !== null : known.changes !== plan.changes;
    if (
      isStale &&
      currentPlanDigest(open, { ...plan, account: { ...plan.account, id: known?.id ?? null } }) !==
        plan.digest
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
      user: tools.user,
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

function endPlannedImport(
  tools: BankContext,
  { books }: OpenSite,
  plan: StoredImportPlan,
  account: number,
  id: number,
): void {
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
      user: tools.user,
      action: 'bank.import',
      subject: String(id),
      detail: { account: plan.account.name, file: upload.name, sha256, digest, rows: shown.rows },
    });
  });
}

function summarizeImport({ shown, upload }: StoredImportPlan, id: number): string {
  const { rows } = shown;
  const otherRows = [
    [rows.duplicate, 'held already'],
    [rows.skipped, 'left out'],
    [rows.failed, 'not readable'],
  ] as const;
  const also = otherRows.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return `Import ${id}: ${formatCount(rows.new, 'line')} of ${upload.name}${also.length === 0 ? '' : `; ${also.join(', ')}`}.`;
}
