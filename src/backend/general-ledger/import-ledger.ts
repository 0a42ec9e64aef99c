import {
  type ContractInputs,
  type ContractOutputs,
  createNonRetryableError,
  type LedgerAccount,
  type LedgerImport,
} from '../../contract/index.ts';
import { type BankFileUpload, storeSourceFile } from '../bank/bank-file-uploads.ts';
import { type DecisionContext, runExclusively } from '../jobs/exclusive-change.ts';
import { throwPeriodClosedError } from '../period-lock/period-lock.ts';
import { requireRecord } from '../shared/require-record.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import {
  addLedgerAccount,
  listLedgerAccounts,
  mapLedgerAccount,
} from '../store/general-ledger/ledger-account.ts';
import {
  addLedgerImport,
  findLedgerImport,
  markLedgerImportRemoved,
} from '../store/general-ledger/ledger-import.ts';
import { findLastLockedDay } from '../store/period-lock/period-lock.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';
import { planLedgerImport, type ReadLedger } from './ledger-plan.ts';
import { findPostedEntries } from './posted-entries.ts';

/** Imports a ledger file. Throws `validation` with the plan's blocker, and `conflict` if rows are already stored. */
export async function importLedger(
  context: DecisionContext,
  upload: BankFileUpload,
  { site, replace, ...input }: ContractInputs['ledger']['import'],
): Promise<ContractOutputs['ledger']['import']> {
  const { stores, changes, now, user } = context;
  const open = stores.open(site);
  const { books } = open;
  const at = now();
  const read = await planLedgerImport(open, upload, new Date(at).toISOString().slice(0, 10), input);
  const result = runExclusively(context, site, 'a ledger import', () => {
    refusePlan(read, replace === true);
    storeSourceFile(open.folder, upload, read.sha256);
    return runInTransaction(books, () => {
      for (const { id } of read.plan.replaces) {
        const reason = `Replaced by the import of ${upload.name}.`;
        removeImport(context, site, id, reason);
      }
      const id = storeImport(read, { at, user, books });
      const posted_entries = findPostedEntries(books, { at, user });
      return { ...(findLedgerImport(books, id) as LedgerImport), posted_entries };
    });
  });
  changes.emit(site, 'periods', 'audit');
  return result;
}

function refusePlan({ plan: { blocker, replaces } }: ReadLedger, canReplace: boolean): void {
  if (blocker !== null) throw createNonRetryableError('validation', blocker, 'See the plan of the import.');
  const [first, ...others] = replaces;
  if (first === undefined || canReplace) return;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  throw createNonRetryableError(
    'conflict',
    `Import ${first.id} (${first.file})${more} already has rows of the same accounts and days.`,
    'Replace it, or export other days.',
  );
}

function storeImport(
  { file, lines, balances, plan, bytes, sha256 }: ReadLedger,
  { at, user, books }: { at: number; user: string; books: Parameters<typeof addLedgerImport>[0] },
): number {
  for (const { account, name } of plan.accounts) addLedgerAccount(books, { account, name, at, user });
  const { currency, rows, skipped, debit_in_cents, credit_in_cents, dialect } = plan;
  const row = {
    ...{ kind: file.kind as LedgerImport['kind'], file: plan.file, bytes, sha256, dialect, currency },
    ...{ first_on: plan.first_on as string, last_on: plan.last_on as string, rows, skipped },
    ...{ debit_in_cents, credit_in_cents, at, user, isNatural: file.sign === 'natural' },
  };
  const id = addLedgerImport(books, row, { lines, balances });
  const { first_on, last_on } = row;
  const detail = {
    file: plan.file,
    sha256,
    kind: row.kind,
    rows,
    first_on,
    last_on,
    debit_in_cents,
    credit_in_cents,
  };
  addAuditEntry(books, { at, user, action: 'ledger.import', subject: `ledger-import:${id}`, detail });
  return id;
}

/** Removes the rows of an import. Throws `not_found`, `conflict` if already removed, and `period_locked`. */
export function removeLedgerImport(
  context: DecisionContext,
  { site, id, reason }: ContractInputs['ledger']['removeImport'],
): LedgerImport {
  const { books } = context.stores.open(site);
  const removed = runExclusively(context, site, 'a ledger import', () =>
    runInTransaction(books, () => removeImport(context, site, id, reason)),
  );
  context.changes.emit(site, 'periods', 'audit');
  return removed;
}

function removeImport(
  { stores, now, user }: DecisionContext,
  site: string,
  id: number,
  reason: string,
): LedgerImport {
  const { books } = stores.open(site);
  const stored = requireRecord(
    findLedgerImport(books, id),
    `ledger import ${id}`,
    'See the list of ledger imports.',
  );
  if (stored.state === 'removed')
    throw createNonRetryableError(
      'conflict',
      `Ledger import ${id} is already removed.`,
      'Nothing is left to remove.',
    );
  const locked = findLastLockedDay(books);
  if (locked !== null && stored.first_on <= locked) throwPeriodClosedError(stored.first_on.slice(0, 7));
  const at = now();
  markLedgerImportRemoved(books, id, { at, user, reason });
  const { file, sha256 } = stored;
  const subject = `ledger-import:${id}`;
  addAuditEntry(books, {
    at,
    user,
    action: 'ledger.remove-import',
    subject,
    reason,
    detail: { file, sha256 },
  });
  findPostedEntries(books, { at, user });
  return findLedgerImport(books, id) as LedgerImport;
}

/** Maps accounts to areas and returns all accounts. */
export function mapLedgerAccounts(
  { stores, changes, now, user }: DecisionContext,
  { site, accounts }: ContractInputs['ledger']['mapAccounts'],
): LedgerAccount[] {
  const { books } = stores.open(site);
  const at = now();
  runInTransaction(books, () => {
    for (const { account, name = null, area } of accounts) {
      mapLedgerAccount(books, { account, name, area, at, user });
      const subject = `ledger-account:${account}`;
      addAuditEntry(books, { at, user, action: 'ledger.map-account', subject, detail: { area } });
    }
  });
  changes.emit(site, 'periods', 'audit');
  return listLedgerAccounts(books);
}
