import {
  type BankAccount,
  type BankProfile,
  type ContractInputs,
  createContractError,
  createNonRetryableError,
} from '../../contract/index.ts';
import { type BankFileProfile, builtInBankProfiles, validateProfile } from '../../domain/bankfiles/index.ts';
import { type DecisionContext, runExclusively } from '../jobs/exclusive-change.ts';
import { assertAccountNotLocked } from '../period-lock/period-lock.ts';
import { requireRecord } from '../shared/require-record.ts';
import { addAuditEntry, type NewAuditEntry } from '../store/audit-log/audit-log.ts';
import {
  addBankAccount,
  findBankAccount,
  findBankAccountByName,
  getBankAccount,
  listLineCurrencies,
  removeBankAccount,
  type StoredBankAccount,
  updateBankAccount,
} from '../store/bank/bank-account.ts';
import { listSavedBankProfiles, removeBankProfile, upsertBankProfile } from '../store/bank/bank-profile.ts';
import { type ReadableDb, runInTransaction, type WritableDb } from '../store/sqlite/connection.ts';

/** Returns a stored account. Throws `not_found` if it does not exist. */
export function requireAccount(books: ReadableDb, id: number): StoredBankAccount {
  return requireRecord(findBankAccount(books, id), `account ${id}`, 'See the list of accounts.');
}

/**
 * Adds or changes a bank account. Throws `not_found`, `conflict` if another account has the same name, and
 * `period_locked` if the kind or currency of an account with closed lines would change.
 */
export function saveAccount(
  context: DecisionContext,
  input: ContractInputs['bank']['saveAccount'],
): BankAccount {
  const { site, id, name, kind, currency = null, window = null } = input;
  const { books } = context.stores.open(site);
  const range = { window_from: window?.from_days ?? null, window_to: window?.to_days ?? null };
  const stored = id === undefined ? null : requireAccount(books, id);
  // An account has one currency. An edit without a currency leaves the stored currency unchanged.
  const content = { name, kind, currency: currency ?? stored?.currency ?? null, ...range };
  const savedId = runExclusively(context, site, 'an account', () =>
    runInTransaction(books, () => {
      if (stored !== null) refuseLockedEdit(books, stored, content);
      refuseUsedName(books, name, id);
      const account = id ?? addBankAccount(books, content);
      if (id !== undefined) updateBankAccount(books, id, content);
      const detail = { name, kind, currency: content.currency, window };
      auditBankChange(context, books, { action: 'bank.save-account', subject: String(account), detail });
      return account;
    }),
  );
  context.changes.emit(site, 'bank', 'audit');
  return getBankAccount(books, savedId) as BankAccount;
}

function refuseLockedEdit(
  books: ReadableDb,
  { id, name, kind, currency }: StoredBankAccount,
  edited: Pick<StoredBankAccount, 'kind' | 'currency'>,
): void {
  if (kind !== edited.kind || currency !== edited.currency) assertAccountNotLocked(books, id, name);
  const others = listLineCurrencies(books, id).filter((each) => each !== edited.currency);
  if (currency === null || currency === edited.currency || others.length === 0) return;
  throw createNonRetryableError(
    'conflict',
    `“${name}” has lines in ${others.join(', ')}, so its currency cannot be changed to ${edited.currency}.`,
    'Add another account for the other currency.',
  );
}

function refuseUsedName(books: ReadableDb, name: string, id: number | undefined): void {
  const sameName = findBankAccountByName(books, name);
  if (sameName === null || sameName.id === id) return;
  const message = `An account named “${sameName.name}” already exists.`;
  throw createNonRetryableError('conflict', message, 'Choose another name.');
}

/** Deletes a bank account. Throws `not_found`, and `conflict` if it has or had imports. */
export function deleteAccount(context: DecisionContext, site: string, id: number): void {
  const { books } = context.stores.open(site);
  runExclusively(context, site, 'an account', () =>
    runInTransaction(books, () => {
      const { name } = requireAccount(books, id);
      if (!removeBankAccount(books, id)) {
        throw createNonRetryableError(
          'conflict',
          `“${name}” has imports, whose records must be kept.`,
          'Remove its imports to remove its lines. The account remains.',
        );
      }
      auditBankChange(context, books, {
        action: 'bank.remove-account',
        subject: String(id),
        detail: { name },
      });
    }),
  );
  context.changes.emit(site, 'bank', 'audit');
}

function auditBankChange(
  { now, user }: DecisionContext,
  books: WritableDb,
  entry: Pick<NewAuditEntry, 'action' | 'subject' | 'detail'>,
): void {
  addAuditEntry(books, { at: now(), user, ...entry });
}

/** Returns the saved profiles, followed by the built-in ones. */
export function listBankProfiles(books: ReadableDb): BankProfile[] {
  return [
    ...listValidProfiles(books).map((profile) => toBankProfile(profile, false)),
    ...builtInBankProfiles.map((profile) => toBankProfile(profile, true)),
  ];
}

export function listValidProfiles(books: ReadableDb): BankFileProfile[] {
  return listSavedBankProfiles(books).flatMap(({ content }) => {
    const checked = validateProfile(JSON.parse(content));
    return 'profile' in checked ? [checked.profile] : [];
  });
}

function toBankProfile(profile: BankFileProfile, built_in: boolean): BankProfile {
  const { name, label, source } = profile;
  return { name, label, source, built_in, profile: toPlainBankProfile(profile) };
}

export function toPlainBankProfile(profile: BankFileProfile): BankProfile['profile'] {
  return JSON.parse(JSON.stringify(profile)) as BankProfile['profile'];
}

/** Validates a profile that a user entered. Throws `validation` with all faults if it is invalid. */
export function requireValidProfile(input: unknown): BankFileProfile {
  const checked = validateProfile(input);
  if ('profile' in checked) return checked.profile;
  throw createContractError({
    code: 'validation',
    message: 'The profile cannot be used.',
    hint: 'Correct the fields named above.',
    errors: [...checked.faults],
    retryable: false,
  });
}

/** Saves a profile. Throws `validation` if it is invalid, and `conflict` if a built-in profile has the same name. */
export function saveBankProfile(context: DecisionContext, site: string, input: unknown): BankProfile {
  const profile = requireValidProfile(input);
  const { name, label } = profile;
  if (builtInBankProfiles.some((each) => each.name === name))
    throw createNonRetryableError(
      'conflict',
      `“${name}” is a built-in profile.`,
      'Save it under another name.',
    );
  const { books } = context.stores.open(site);
  const by = { at: context.now(), user: context.user };
  runInTransaction(books, () => {
    upsertBankProfile(books, { name, content: JSON.stringify(profile), ...by });
    addAuditEntry(books, { ...by, action: 'bank.save-profile', subject: name, detail: { label } });
  });
  context.changes.emit(site, 'bank', 'audit');
  return toBankProfile(profile, false);
}

/** Deletes a saved profile. Throws `not_found`. */
export function deleteBankProfile(context: DecisionContext, site: string, name: string): void {
  const { books } = context.stores.open(site);
  runInTransaction(books, () => {
    if (!removeBankProfile(books, name)) {
      throw createNonRetryableError(
        'not_found',
        `There is no saved profile named “${name}”.`,
        'See the list of profiles. Built-in profiles cannot be removed.',
      );
    }
    auditBankChange(context, books, { action: 'bank.remove-profile', subject: name, detail: {} });
  });
  context.changes.emit(site, 'bank', 'audit');
}
