import type { ContractInputs, ImportPlan } from '../../contract/index.ts';
import { type BankFile, DETECTED_PROFILE_NAME } from '../../domain/bankfiles/index.ts';
import {
  findAccountCurrency,
  findBankAccount,
  findBankAccountByName,
  listStoredBankAccounts,
  type StoredBankAccount,
} from '../store/bank/bank-account.ts';
import { listAccountsWithImport } from '../store/bank/bank-import.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { requireAccount } from './accounts-and-profiles.ts';

type RequestedAccount = NonNullable<ContractInputs['bank']['plan']['account']>;

/** Account into which a file would be imported. */
export interface ImportTargetAccount
  extends Pick<StoredBankAccount, 'name' | 'kind' | 'currency' | 'number' | 'changes'> {
  /** Null if the import would create the account, or if no account has been chosen yet. */
  readonly id: number | null;
  readonly by: ImportPlan['account']['by'];
}

/** Returns the account with this id or name, or null for an unknown name. Throws `not_found` for an unknown id. */
export function findRequestedAccount(books: ReadableDb, ref: RequestedAccount): StoredBankAccount | null {
  return 'id' in ref ? requireAccount(books, ref.id) : findBankAccountByName(books, ref.name);
}

/** Returns the requested account, or else the account that the file identifies. Its name is empty if neither exists. */
export function findImportTargetAccount(
  books: ReadableDb,
  ref: RequestedAccount | undefined,
  sha256: string,
  file: Pick<BankFile, 'statements' | 'profile'>,
): ImportTargetAccount {
  const requested = ref === undefined ? null : findRequestedAccount(books, ref);
  if (requested !== null)
    return { ...requested, currency: findAccountCurrency(books, requested), by: 'user' };
  const identified = ref === undefined ? identifyAccount(books, sha256, file) : null;
  if (identified !== null) return identified;
  const newAccount = ref !== undefined && 'name' in ref ? ref : null;
  return {
    id: null,
    name: newAccount?.name ?? '',
    // A payout report belongs to a processor unless the user chooses another kind.
    kind: newAccount?.kind ?? file.profile?.source ?? 'bank',
    currency: null,
    number: null,
    changes: -1,
    by: newAccount === null ? null : 'user',
  };
}

/**
 * Returns the account that already contains this file, has its account number, or is the only one with files of its
 * profile. Returns null if none of these identifies exactly one account, because an account is never guessed.
 */
function identifyAccount(
  books: ReadableDb,
  sha256: string,
  { statements, profile }: Pick<BankFile, 'statements' | 'profile'>,
): ImportTargetAccount | null {
  const ifUnique = (ids: readonly number[], by: ImportTargetAccount['by']): ImportTargetAccount | null => {
    const account = ids.length === 1 ? findBankAccount(books, ids[0]!) : null;
    return account === null ? null : { ...account, currency: findAccountCurrency(books, account), by };
  };
  const sameFileAccount = ifUnique(listAccountsWithImport(books, { sha256 }), 'file');
  if (sameFileAccount !== null) return sameFileAccount;
  const named = new Set(statements.flatMap(({ account }) => account ?? []));
  if (named.size > 0) {
    const accounts = listStoredBankAccounts(books).filter(
      ({ number }) => number !== null && named.has(number),
    );
    return ifUnique(
      accounts.map(({ id }) => id),
      'number',
    );
  }
  // A profile of detected columns is not specific to a bank.
  if (profile === null || profile.name === DETECTED_PROFILE_NAME) return null;
  return ifUnique(listAccountsWithImport(books, { profile: profile.name }), 'profile');
}
