import type { ContractInputs, LedgerPlan } from '../../contract/index.ts';
import {
  type LedgerFile,
  type LedgerFileBalance,
  type LedgerFileLine,
  type LedgerFileProblem,
  readLedgerFile,
} from '../../domain/general-ledger/index.ts';
import { addCents, toMonthRange } from '../../domain/ledger/index.ts';
import type { BankFileUpload } from '../bank/bank-file-uploads.ts';
import { openBankFile } from '../bank/open-bank-file.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { readLedgerAreas } from '../store/general-ledger/ledger-account.ts';
import { findOverlappingImports } from '../store/general-ledger/ledger-import.ts';
import { findLastLockedDay } from '../store/period-lock/period-lock.ts';

/** Maximum number of problems that a plan lists. Chosen by judgment. */
const MAX_PROBLEMS = 200;

/** A parsed ledger file with the plan of its import. */
export interface ReadLedger {
  readonly file: LedgerFile;
  readonly lines: readonly LedgerFileLine[];
  readonly balances: readonly LedgerFileBalance[];
  readonly plan: LedgerPlan;
  readonly bytes: number;
  readonly sha256: string;
}

type LedgerFileInput = Pick<ContractInputs['ledger']['plan'], 'answers' | 'currency' | 'as_on'>;

/** Reads an uploaded ledger file. Returns its rows with the plan of their import. `today` resolves ambiguous dates. */
export async function planLedgerImport(
  { books, file: site }: OpenSite,
  upload: BankFileUpload,
  today: string,
  { answers = {}, currency: given, as_on }: LedgerFileInput,
): Promise<ReadLedger> {
  const currency = given ?? site.currency;
  const lines: LedgerFileLine[] = [];
  const balances: LedgerFileBalance[] = [];
  const problems: LedgerFileProblem[] = [];
  const locked_until = findLastLockedDay(books) ?? '';
  let locked = 0;
  const source = openBankFile(upload.path);
  try {
    const file = await readLedgerFile(
      source,
      { answers, today, currency },
      {
        onLine(line) {
          if (line.dated_on <= locked_until) locked++;
          else lines.push(line);
        },
        onBalance: (balance) => void balances.push(balance),
        onProblem: (problem) => void problems.push(problem),
      },
    );
    const read = { file, lines, balances };
    const days = findDays(read, as_on);
    const accounts = sumAccounts(read, readLedgerAreas(books));
    const skipped =
      problems.filter(({ effect, row }) => row !== null && effect !== 'doubtful').length + locked;
    const plan: LedgerPlan = {
      ...{ file: upload.name, kind: file.kind, dialect: file.dialect, currency, skipped, locked, accounts },
      columns: [...file.columns],
      questions: toPlain(file.questions),
      ...{ first_on: days?.first ?? null, last_on: days?.last ?? null },
      rows: lines.length + balances.length,
      debit_in_cents: accounts.reduce((sum, each) => addCents(sum, each.debit_in_cents), 0),
      credit_in_cents: accounts.reduce((sum, each) => addCents(sum, each.credit_in_cents), 0),
      problems: problems
        .filter(({ effect }) => effect !== 'skipped')
        .slice(0, MAX_PROBLEMS)
        .map(({ location, reason }) => ({ location, reason })),
      replaces:
        days === null || file.kind === null
          ? []
          : findOverlappingImports(
              books,
              file.kind,
              accounts.map(({ account }) => account),
              days,
            ),
      blocker: findBlocker(read, problems, { days, locked, locked_until }),
    };
    return { ...read, plan, bytes: source.size, sha256: source.sha256() };
  } finally {
    source.close();
  }
}

const toPlain = (questions: LedgerFile['questions']): LedgerPlan['questions'] =>
  JSON.parse(JSON.stringify(questions)) as LedgerPlan['questions'];

type ReadRows = Pick<ReadLedger, 'file' | 'lines' | 'balances'>;

/** Returns the first and last day of the rows, or null without dates. A trial balance covers the month of its date. */
function findDays({ file, lines, balances }: ReadRows, as_on: string | undefined) {
  if (file.kind === 'balances') {
    const last = as_on ?? file.as_on;
    return last === null || balances.length === 0 ? null : { first: toMonthRange(last).first, last };
  }
  const days = lines.map(({ dated_on }) => dated_on);
  if (days.length === 0) return null;
  return {
    first: days.reduce((a, b) => (a < b ? a : b)),
    last: days.reduce((a, b) => (a > b ? a : b)),
  };
}

function findBlocker(
  { file, lines, balances }: ReadRows,
  problems: readonly LedgerFileProblem[],
  { days, locked, locked_until }: { days: { last: string } | null; locked: number; locked_until: string },
): string | null {
  const refused = problems.find(({ effect }) => effect === 'refused');
  if (refused !== undefined) return refused.reason;
  if (file.questions.length > 0) return 'The file does not determine all settings. Answer the questions.';
  const failed = problems.filter(({ effect }) => effect === 'failed').length;
  if (failed > 0)
    return `${failed} ${failed === 1 ? 'row' : 'rows'} cannot be read. Correct the file and export it again.`;
  if (lines.length + balances.length === 0)
    return locked > 0 ? 'All rows are dated in closed periods.' : 'The file contains no rows.';
  if (days === null) return 'The trial balance has no date. Enter it.';
  if (file.kind === 'balances' && days.last <= locked_until)
    return `The trial balance is dated ${days.last}, in a closed period.`;
  return null;
}

/** Returns the debits and credits of each account in cents. Amounts with a natural sign count as debits. */
function sumAccounts({ lines, balances }: ReadRows, areas: ReturnType<typeof readLedgerAreas>) {
  const byAccount = new Map<string, LedgerPlan['accounts'][number]>();
  const add = (account: string, name: string | null, cents: number) => {
    const sum = byAccount.get(account) ?? {
      ...{ account, name, area: areas.get(account) ?? null },
      ...{ rows: 0, debit_in_cents: 0, credit_in_cents: 0 },
    };
    byAccount.set(account, sum);
    sum.rows++;
    if (cents > 0) sum.debit_in_cents = addCents(sum.debit_in_cents, cents);
    else sum.credit_in_cents = addCents(sum.credit_in_cents, 0 - cents);
  };
  for (const { account, account_name, amount_in_cents } of lines) add(account, account_name, amount_in_cents);
  for (const { account, account_name, closing_in_cents, movement_in_cents } of balances)
    add(account, account_name, closing_in_cents ?? movement_in_cents ?? 0);
  return [...byAccount.values()].sort((a, b) => (a.account < b.account ? -1 : 1));
}
