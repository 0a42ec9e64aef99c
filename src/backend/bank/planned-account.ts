import { contractError, type ImportPlan, type Inputs } from '../../contract/index.ts';
import { type BankFile, DETECTED } from '../../domain/bankfiles/index.ts';
import { accountById, accountNamed, type StoredAccount, storedAccounts } from '../store/bank/bank-account.ts';
import { accountsOfImports } from '../store/bank/bank-import.ts';
import type { ReadableDb } from '../store/database.ts';

type AccountRef = NonNullable<Inputs['bank']['plan']['account']>;

/** The account that a file would be imported to. */
export interface PlannedAccount
  extends Pick<StoredAccount, 'name' | 'kind' | 'currency' | 'number' | 'changes'> {
  /** Null for one that is made by the import, or where nobody knows yet. */
  readonly id: number | null;
  readonly by: ImportPlan['account']['by'];
}

/** The account of this id or name; null where none has that name yet. Throws `not_found`. */
export function accountAsked(books: ReadableDb, ref: AccountRef): StoredAccount | null {
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

/** The account that is asked for, else the one the file tells; without a name where nothing tells it. */
export function plannedAccount(
  books: ReadableDb,
  ref: AccountRef | undefined,
  sha256: string,
  file: Pick<BankFile, 'statements' | 'profile'>,
): PlannedAccount {
  const asked = ref === undefined ? null : accountAsked(books, ref);
  if (asked !== null) return { ...asked, by: 'asked' };
  const told = ref === undefined ? accountTold(books, sha256, file) : null;
  if (told !== null) return told;
  const said = ref !== undefined && 'name' in ref ? ref : null;
  return {
    id: null,
    name: said?.name ?? '',
    // A payout report is of a processor, unless somebody says otherwise.
    kind: said?.kind ?? file.profile?.source ?? 'bank',
    currency: null,
    number: null,
    changes: -1,
    by: said === null ? null : 'asked',
  };
}

/**
 * The account that holds this very file, the one whose number the file names, or the only one that files of its profile went into. Null
 * where none of these tells one account: it is not guessed.
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
  // Columns that were found out are those of no bank in particular.
  if (profile === null || profile.name === DETECTED) return null;
  return only(accountsOfImports(books, { profile: profile.name }), 'profile');
}
