import { type BankStatement, type ContractInputs, createNonRetryableError } from '../../contract/index.ts';
import { assertDayNotLocked } from '../period-lock/period-lock.ts';
import { requireRecord } from '../shared/require-record.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import { findAccountCurrency } from '../store/bank/bank-account.ts';
import {
  addBankStatement,
  findBankStatement,
  listStoredBankStatements,
  markBankStatementsRemoved,
  type StoredBankStatement,
} from '../store/bank/bank-statement.ts';
import { type ReadableDb, runInTransaction } from '../store/sqlite/connection.ts';
import { requireAccount } from './accounts-and-profiles.ts';
import type { BankContext } from './bank-context.ts';
import { storeSourceFile } from './bank-file-uploads.ts';
import { listBankStatements } from './bank-statements.ts';
import { openBankFile } from './open-bank-file.ts';

/**
 * Stores a bank statement that a person entered, with its source file. Throws `not_found`, `validation` if it ends before
 * it begins or lies in the future, and `conflict` if the same statement is stored.
 */
export function enterBankStatement(
  context: BankContext,
  input: ContractInputs['bank']['addStatement'],
): BankStatement {
  const { site, account: account_id, from, to, opening_in_cents, closing_in_cents } = input;
  const { books, folder, file } = context.stores.open(site);
  const account = requireAccount(books, account_id);
  if (from > to)
    throw createNonRetryableError(
      'validation',
      `The statement ends on ${to}, before it begins on ${from}.`,
      'Correct the dates.',
    );
  const upload = context.importSession.uploads.get(site, input.upload);
  const sha256 = hashFile(upload.path);
  const currency = input.currency ?? findAccountCurrency(books, account) ?? file.currency;
  const isStored = listStoredBankStatements(books, account_id).some(
    (each) =>
      each.from_on === from &&
      each.to_on === to &&
      each.currency === currency &&
      each.opening_in_cents === opening_in_cents &&
      each.closing_in_cents === closing_in_cents,
  );
  if (isStored)
    throw createNonRetryableError(
      'conflict',
      `The statement of “${account.name}” from ${from} to ${to} is already stored.`,
      'See the list of bank statements.',
    );
  storeSourceFile(folder, upload, sha256);
  const by = { at: context.now(), user: context.user };
  const number = input.number ?? null;
  const id = runInTransaction(books, () => {
    const stored = addBankStatement(books, {
      ...{ account_id, import_id: null, number, currency, from_on: from, to_on: to },
      ...{ opening_in_cents, closing_in_cents, lines_in_cents: null, location: 'entered' },
      ...{ file: upload.name, sha256, bytes: upload.bytes, ...by },
    });
    const detail = { account: account.name, number, currency, from, to, opening_in_cents, closing_in_cents };
    addAuditEntry(books, {
      ...by,
      action: 'bank.add-statement',
      subject: String(stored),
      detail: { ...detail, file: upload.name, sha256 },
    });
    return stored;
  });
  context.changes.emit(site, 'bank', 'audit');
  return requireStatement(books, id);
}

/**
 * Removes a bank statement that a person entered. Throws `not_found`, `conflict` for a statement of an imported file, and
 * `period_locked` if it covers a day of a closed period.
 */
export function removeBankStatement(
  context: BankContext,
  { site, id, reason }: ContractInputs['bank']['removeStatement'],
): void {
  const { books } = context.stores.open(site);
  const stored = requireRecord(
    findBankStatement(books, id),
    `bank statement ${id}`,
    'See the list of bank statements.',
  );
  if (stored.import_id !== null)
    throw createNonRetryableError(
      'conflict',
      `Bank statement ${id} is part of import ${stored.import_id}.`,
      'Remove the import instead.',
    );
  const { account_name: account, from_on: from, to_on: to, file, sha256 } = stored;
  assertDayNotLocked(books, from, `Bank statement ${id} is part`);
  const by = { at: context.now(), user: context.user };
  runInTransaction(books, () => {
    markBankStatementsRemoved(books, 'id', id, { at: by.at, by: by.user, reason });
    const detail = { account, from, to, file, sha256 };
    addAuditEntry(books, { ...by, action: 'bank.remove-statement', subject: String(id), reason, detail });
  });
  context.changes.emit(site, 'bank', 'audit');
}

function requireStatement(books: ReadableDb, id: number): BankStatement {
  const { account_id } = findBankStatement(books, id) as StoredBankStatement;
  return listBankStatements(books, account_id).find((each) => each.id === id) as BankStatement;
}

function hashFile(path: string): string {
  const file = openBankFile(path);
  try {
    return file.sha256();
  } finally {
    file.close();
  }
}
