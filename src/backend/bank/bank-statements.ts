import type { BankStatement, ImportPlanStatement } from '../../contract/index.ts';
import { addDays, type DateRange } from '../../domain/ledger/index.ts';
import { linkBankStatements } from '../../domain/workpaper/bank-statement-chain.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import {
  listStoredBankStatements,
  type NewBankStatement,
  type StoredBankStatement,
} from '../store/bank/bank-statement.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';

/** Converts a stored statement to the form in which statements are linked. */
export const toStatementBalances = (stored: StoredBankStatement) => ({
  ...stored,
  from: stored.from_on,
  to: stored.to_on,
  opening: stored.opening_in_cents,
  closing: stored.closing_in_cents,
});

/** Returns the bank statements of an account, or of all accounts, in order, with their links to the previous ones. */
export function listBankStatements(books: ReadableDb, account: number | null): BankStatement[] {
  const byChain = Map.groupBy(
    listStoredBankStatements(books, account).map(toStatementBalances),
    ({ account_id, currency }) => `${account_id} ${currency}`,
  );
  return [...byChain.values()].flatMap((statements) =>
    linkBankStatements(statements).map(({ statement, gap, daysBetween, missingNumbers }): BankStatement => {
      const { opening, closing, lines_in_cents: lines } = statement;
      return {
        id: statement.id,
        account: { id: statement.account_id, name: statement.account_name },
        import: statement.import_id,
        number: statement.number,
        currency: statement.currency,
        from: statement.from,
        to: statement.to,
        opening_in_cents: opening,
        closing_in_cents: closing,
        lines_in_cents: lines,
        difference_in_cents: opening === null || lines === null ? null : closing - opening - lines,
        gap_in_cents: gap,
        days_between: daysBetween,
        missing_numbers: missingNumbers,
        source: { file: statement.file, sha256: statement.sha256, bytes: statement.bytes },
        at: formatTimestamp(statement.at),
        user: statement.user,
      };
    }),
  );
}

/** Returns the bank statements that cover days of a period, each with its previous and next statement. */
export function listBankStatementsOfPeriod(books: ReadableDb, { first, last }: DateRange): BankStatement[] {
  const statements = listBankStatements(books, null);
  const toChain = ({ account, currency }: BankStatement) => `${account.id} ${currency}`;
  const isInPeriod = (statement: BankStatement | undefined, chain: string) =>
    statement !== undefined &&
    toChain(statement) === chain &&
    statement.from <= last &&
    statement.to >= first;
  return statements.filter((statement, at) =>
    [statements[at - 1], statement, statements[at + 1]].some((each) => isInPeriod(each, toChain(statement))),
  );
}

type StatementSource = Pick<
  NewBankStatement,
  'account_id' | 'import_id' | 'file' | 'sha256' | 'bytes' | 'at' | 'user'
>;

/** Returns the statements of a file that have a closing balance, ready to be stored. */
export function toImportedStatements(
  statements: readonly ImportPlanStatement[],
  source: StatementSource,
): NewBankStatement[] {
  return statements.flatMap((statement) => {
    const { number, currency, opening_in_cents, closing_in_cents, closing_on, lines_in_cents, location } =
      statement;
    const to = [statement.to, closing_on]
      .filter((day) => day !== null)
      .toSorted()
      .at(-1);
    if (closing_in_cents === null || currency === null || to === undefined) return [];
    const from = findFirstDay(statement) ?? to;
    return {
      ...source,
      ...{ number, currency, from_on: from < to ? from : to, to_on: to },
      ...{ opening_in_cents, closing_in_cents, lines_in_cents, location },
    };
  });
}

/** Returns the first day that a statement covers: its stated first day, or the day after its opening balance. */
function findFirstDay({ from, opening_on }: ImportPlanStatement): string | null {
  if (opening_on === null || (from !== null && from <= opening_on)) return from;
  return addDays(opening_on, 1);
}
