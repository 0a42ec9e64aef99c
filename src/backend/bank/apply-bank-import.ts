import { createNonRetryableError, type ImportPlanRow, type Job } from '../../contract/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { detectChangesAfterJob } from '../changes-since-sign-off/detect-changes-since-sign-off.ts';
import { requireIdleSite } from '../jobs/exclusive-change.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import { updatePaymentsAfterJob } from '../matching/update-payments.ts';
import { yieldToEventLoop } from '../shared/time-slices.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import {
  addBankAccount,
  findBankAccount,
  findBankAccountByName,
  recordBankAccountChange,
  setBankAccountCurrency,
} from '../store/bank/bank-account.ts';
import { addBankImportRow, beginBankImport, endBankImport } from '../store/bank/bank-import.ts';
import { saveBankLine, savePayout } from '../store/bank/bank-line.ts';
import { addBankStatement } from '../store/bank/bank-statement.ts';
import { readNewBankLines } from '../store/bank/import-plan-rows.ts';
import { isAnyPaymentStored } from '../store/matching/match-payment.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';
import type { BankContext } from './bank-context.ts';
import { storeSourceFile } from './bank-file-uploads.ts';
import { toImportedStatements } from './bank-statements.ts';
import { computeCurrentPlanDigest } from './compare-with-stored-bank-lines.ts';
import type { StoredImportPlan } from './import-plan.ts';
import { listImportPlanRows } from './import-plan-rows.ts';
import { removeBankImport } from './remove-bank-import.ts';

/** Number of rows written per transaction. */
const ROWS_PER_TRANSACTION = 2000;

interface ImportRun {
  context: BankContext;
  open: OpenSite;
  plan: StoredImportPlan;
  job: JobHandle;
}

/**
 * Starts a job that applies an import plan. Throws `validation` if the plan cannot be applied, and `conflict` if the
 * stored lines have changed since the preview or another job is changing them.
 */
export function startImport(context: BankContext, site: string, id: string): Job {
  const plan = context.importSession.getPlan(site, id);
  const { blocker } = plan.preview;
  if (blocker !== null) throw createNonRetryableError('validation', blocker, 'Nothing was imported.');
  requireIdleSite(context, site);
  const open = context.stores.open(site);
  const job = context.jobs.start({
    site,
    kind: 'import',
    noun: 'an import',
    books: open.books,
    run: (handle) => applyPlan({ context, open, plan, job: handle }),
  });
  context.importSession.protectPlan(id);
  return job;
}

async function applyPlan(run: ImportRun): Promise<string> {
  const { context, open, plan, job } = run;
  try {
    const id = await addNewLines(run);
    // Loads the payments with the first import, so that lines can be matched.
    if (!isAnyPaymentStored(open.books)) await updatePaymentsAfterJob(context, open, job, 'import');
    await detectChangesAfterJob(context, open, job, 'import');
    return summarizeImport(plan, id);
  } finally {
    context.importSession.removePlan(plan.id);
  }
}

/** Adds all new lines of a plan, or none. Returns the import's id. */
async function addNewLines(run: ImportRun): Promise<number> {
  const { context, open, plan, job } = run;
  const { books, folder } = open;
  const { upload } = plan;
  job.progress('lines', { done: 0, total: plan.preview.rows.new, current: upload.name });
  storeSourceFile(folder, upload, plan.sha256);
  const { account_id, id } = beginPlannedImport(run);
  try {
    let done = 0;
    for (const lines of readNewBankLines(plan.rows)) {
      await yieldToEventLoop();
      job.signal.throwIfAborted();
      runInTransaction(books, () => {
        for (const line of lines)
          saveBankLine(books, { ...line, account_id, import_id: id }, line.is_back === 1);
      });
      done += lines.length;
      job.progress('lines', { done });
      context.changes.emit(job.site, 'bank');
    }
    for (const rows of listRowsWithRemarks(plan)) {
      await yieldToEventLoop();
      job.signal.throwIfAborted();
      runInTransaction(books, () => {
        for (const row of rows) addBankImportRow(books, id, row);
      });
    }
    endPlannedImport(run, account_id, id);
  } catch (error) {
    const removal = { at: context.now(), by: context.user, reason: 'The import was interrupted.' };
    await removeBankImport(open, id, removal);
    throw error;
  } finally {
    context.changes.emit(job.site, 'bank', 'match', 'audit');
  }
  return id;
}

/** Yields in batches the rows that are not imported as new lines, and the new lines that have remarks. */
function* listRowsWithRemarks(plan: StoredImportPlan): Generator<ImportPlanRow[]> {
  let after: string | undefined;
  do {
    const { rows, next } = listImportPlanRows(plan, { remarked: true, after, limit: ROWS_PER_TRANSACTION });
    yield rows;
    after = next ?? undefined;
  } while (after !== undefined);
}

/** Checks that the plan is still current. Then creates the import, and also the account if it is new. */
function beginPlannedImport({ context, open, plan, job }: ImportRun): { account_id: number; id: number } {
  const { books } = open;
  const { preview, upload, file, account, sha256, digest } = plan;
  const { rows, first_on, last_on } = preview;
  return runInTransaction(books, () => {
    const stored =
      account.id === null ? findBankAccountByName(books, account.name) : findBankAccount(books, account.id);
    const isChanged = stored === null ? account.id !== null : stored.changes !== plan.changes;
    const current = { ...plan, account: { ...account, id: stored?.id ?? null } };
    if (isChanged && computeCurrentPlanDigest(open, current) !== digest) {
      throw createNonRetryableError(
        'conflict',
        `The lines of “${account.name}” have changed since the preview.`,
        'Create a new preview.',
      );
    }
    const account_id =
      stored?.id ?? addBankAccount(books, { ...account, currency: null, window_from: null, window_to: null });
    const id = beginBankImport(books, {
      account_id,
      file: upload.name,
      bytes: upload.bytes,
      sha256,
      format: file.format ?? '',
      dialect: file.dialect,
      profile: file.profile?.name ?? null,
      at: context.now(),
      user: context.user,
      job: job.id,
      digest,
      ...{ rows, first_on, last_on },
    });
    return { account_id, id };
  });
}

function endPlannedImport({ context, open, plan }: ImportRun, account_id: number, id: number): void {
  const { books } = open;
  const { preview, sha256, upload, digest } = plan;
  runInTransaction(books, () => {
    for (const { payout_id, currency, paid_on, last_on, stated_in_cents } of plan.file.payouts) {
      savePayout(books, {
        account_id,
        import_id: id,
        payout_id,
        currency: currency ?? plan.currency,
        paid_on: paid_on ?? last_on,
        stated_in_cents,
      });
    }
    const statements = preview.statements.filter((_, at) => !plan.skippedStatements.includes(at));
    const at = { at: context.now(), user: context.user };
    const source = { account_id, import_id: id, file: upload.name, sha256, bytes: upload.bytes, ...at };
    for (const statement of toImportedStatements(statements, source)) addBankStatement(books, statement);
    endBankImport(books, id);
    recordBankAccountChange(books, account_id, plan.number);
    setBankAccountCurrency(books, account_id);
    addAuditEntry(books, {
      ...at,
      action: 'bank.import',
      subject: String(id),
      detail: { account: plan.account.name, file: upload.name, sha256, digest, rows: preview.rows },
    });
  });
}

function summarizeImport({ preview, upload }: StoredImportPlan, id: number): string {
  const { rows } = preview;
  const counts = [
    [rows.duplicate, 'already imported'],
    [rows.skipped, 'skipped'],
    [rows.failed, 'unreadable'],
  ] as const;
  const others = counts.filter(([count]) => count > 0).map((count) => count.join(' '));
  return `Import ${id}: ${formatCount(rows.new, 'line')} of ${upload.name}${others.length === 0 ? '' : `; ${others.join(', ')}`}.`;
}
