import { contractError, type ImportPlan, type Inputs } from '../../contract/index.ts';
import { type BankFile, DETECTED_PROFILE_NAME } from '../../domain/bankfiles/index.ts';
import { accountById, accountNamed, type StoredAccount, storedAccounts } from '../store/bank/bank-account.ts';
import { accountsOfImports } from '../store/bank/bank-import.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';

type AccountRef = NonNullable<Inputs['bank']['plan']['account']>;

/** The account that a file would be imported to. */
export interface PlannedAccount
  extends Pick<StoredAccount, 'name' | 'kind' | 'currency' | 'number' | 'changes'> {
  /** Null for an account created by the import, or if it is still unknown. */
  readonly id: number | null;
  readonly by: ImportPlan['account']['by'];
}

/** Returns the account with this id or name, or null if no account has that name yet. Throws `not_found`. */
export function findRequestedAccount(books: ReadableDb, ref: AccountRef): StoredAccount | null {
  if (!('id' in ref)) return accountNamed(books, ref.name);
  const account = accountById(books, ref.id);
  if (account !== null) return account;
  throw contractError({
    code: 'not_found',
    message: `There is no account ${ref.id}.`,
    hint: 'See the list of accounts for those there are.',
    retryable: false,
  });
}

/** Returns the requested account, else the one identified by the file. Has no name if nothing identifies it. */
export function findPlannedAccount(
  books: ReadableDb,
  ref: AccountRef | undefined,
  sha256: string,
  file: Pick<BankFile, 'statements' | 'profile'>,
): PlannedAccount {
  const asked = ref === undefined ? null : findRequestedAccount(books, ref);
  if (asked !== null) return { ...asked, by: 'asked' };
  const told = ref === undefined ? accountTold(books, sha256, file) : null;
  if (told !== null) return told;
  const said = ref !== undefined && 'name' in ref ? ref : null;
  return {
    id: null,
    name: said?.name ?? '',
    // A payout report belongs to a processor unless the user says otherwise.
    kind: said?.kind ?? file.profile?.source ?? 'bank',
    currency: null,
    number: null,
    changes: -1,
    by: said === null ? null : 'asked',
  };
}

/**
 * Returns the account that already has this file, the one whose number the file names, or the only one that received
 * files with its profile. Returns null if none of these identifies one account; it is never guessed.
 */
function accountTold(
  books: ReadableDb,
  sha256: string,
  { statements, profile }: Pick<BankFile, 'statements' | 'profile'>,
): PlannedAccount | null {
  const only = (ids: readonly number[], by: PlannedAccount['by']): PlannedAccount | null => {
    const account = ids.length === 1 ? accountById(books, ids[0]!) : null;
    return account === null ? null : { ...account, by };
  };
  const holds = only(accountsOfImports(books, { sha256 }), 'file');
  if (holds !== null) return holds;
  const named = new Set(statements.flatMap(({ account }) => account ?? []));
  if (named.size > 0) {
    const known = storedAccounts(books).filter(({ number }) => number !== null && named.has(number));
    return only(
      known.map(({ id }) => id),
      'number',
    );
  }
  // Detected columns are typical of no particular bank.
  if (profile === null || profile.name === DETECTED_PROFILE_NAME) return null;
  return only(accountsOfImports(books, { profile: profile.name }), 'profile');
}
