import { setImmediate as breathe } from 'node:timers/promises';
import { contractError, type Job } from '../../contract/index.ts';
import type { BankLine } from '../../domain/bankfiles/index.ts';
import { counted } from '../../domain/counted.ts';
import type { JobHandle } from '../jobs/jobs.ts';
import { renewFor } from '../matching/renew.ts';
import { noticeAfter } from '../periods/notice.ts';
import type { OpenSite } from '../sites/stores.ts';
import { accountById, accountChanged, accountNamed, addAccount } from '../store/bank/bankAccount.ts';
import { addImportRow, beginImport, endImport } from '../store/bank/bankImport.ts';
import { type LineMore, putLine, putPayout } from '../store/bank/bankLine.ts';
import { addAudit } from '../store/books/audit.ts';
import { commit } from '../store/database.ts';
import { hasPayments } from '../store/matching/matchPayment.ts';
import { currencyOf, lineKey } from './identity.ts';
import { judgeAnew, type Plan } from './plan.ts';
import { planRows } from './planRows.ts';
import { takeBack } from './remove.ts';
import { type BankTools, whileIdle } from './tools.ts';
import { keepSource } from './uploads.ts';

/** Lines written together. */
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
  return job;
}

async function apply(tools: BankTools, open: OpenSite, plan: Plan, job: JobHandle): Promise<string> {
  const { books, folder } = open;
  const { file, verdicts, upload } = plan;
  const total = plan.shown.rows.new;
  job.progress('lines', { done: 0, total, current: upload.name });
  keepSource(folder, upload, plan.sha256);
  const { account, id } = begin(tools, open, plan, job.id);
  try {
    let done = 0;
    for (const batch of batches(file.lines.keys(), BATCH)) {
      await breathe();
      job.signal.throwIfAborted();
      commit(books, () => {
        for (const at of batch) {
          if (verdicts.isNew[at] !== 1) continue;
          addLine(open, plan, account, id, at);
          done++;
        }
      });
      job.progress('lines', { done });
      tools.changes.tell(job.site, 'bank');
    }
    let ordinal = 0;
    for (const batch of batches(planRows(plan), BATCH)) {
      await breathe();
      job.signal.throwIfAborted();
      commit(books, () => {
        for (const row of batch) {
          ordinal++;
          if (row.verdict !== 'new' || row.reason !== null) addImportRow(books, id, ordinal, row);
        }
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
    tools.desk.forget(plan.id);
    tools.changes.tell(job.site, 'bank', 'match', 'audit');
  }
  // So that there is something to hold the first lines against before they are matched.
  if (!hasPayments(books)) await renewFor(tools, open, job, 'import');
  await noticeAfter(tools, open, job, 'import');
  return sentence(plan, id);
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
      judgeAnew(open, { ...plan, account: { ...plan.account, id: known?.id ?? null } }).digest !== plan.digest
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

function addLine({ books }: OpenSite, plan: Plan, account_id: number, import_id: number, at: number): void {
  const { file, verdicts, currency } = plan;
  const line = file.lines[at]!;
  putLine(
    books,
    {
      ...lineKey(line, currencyOf(line, currency)),
      account_id,
      import_id,
      row: line.row,
      value_on: line.value_on,
      occurrence: verdicts.occurrence[at]!,
      kind: line.kind,
      description: line.description,
      reference: line.reference,
      counterparty: line.counterparty,
      payout_id: line.payout_id,
      gateway_transaction_id: line.gateway_transaction_id,
      fee_in_cents: line.fee_in_cents,
      net_in_cents: line.net_in_cents,
      place: line.place,
      more: moreOf(line),
    },
    verdicts.isBack[at] === 1,
  );
}

function moreOf({ balance_in_cents, foreign, extra }: BankLine): LineMore | null {
  const more: LineMore = {
    ...(balance_in_cents === null ? {} : { balance_in_cents }),
    ...(foreign === null ? {} : { foreign }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
  return Object.keys(more).length === 0 ? null : more;
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
        paid_on: payout.paid_on ?? lastDayOf(plan, payout.payout_id),
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

function lastDayOf({ file, shown }: Plan, payout: string): string {
  const days = file.lines.flatMap((line) => (line.payout_id === payout ? [line.booked_on] : []));
  return days.toSorted().at(-1) ?? shown.last_on ?? '';
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

function* batches<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let batch: Item[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
