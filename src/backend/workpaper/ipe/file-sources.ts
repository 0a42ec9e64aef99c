import type { IpeSource, Workpaper } from '../../../contract/index.ts';
import { addCents } from '../../../domain/ledger/index.ts';
import { isLastRowOfStep, type WorkSteps } from '../../../domain/work-steps/work-steps.ts';
import { getAccountScheduleId } from '../../../domain/workpaper/index.ts';
import {
  type AccountFacts,
  describeAccountCompleteness,
  describeAccountContinuity,
  describeFileRows,
  describeLedgerAccuracy,
  isAccountComplete,
} from '../../../domain/workpaper/ipe-sentences.ts';
import { readAccountLines } from '../../store/workpaper/account-lines.ts';
import { readImportRowCounts, sumImportedLines } from '../../store/workpaper/ipe-rows.ts';
import { type AccountWithBalances, listReconciledAccounts } from '../account-contributions.ts';
import type { PeriodLists } from '../report-lists.ts';
import type { WorkpaperSite } from '../workpaper-site.ts';

/** Returns the key of an account as a source, for example `account-2`. */
export const getAccountSource = (account: number): string => `account-${account}`;
const LEDGER_SOURCE_PREFIX = 'ledger-';
export const isLedgerSource = (source: string): boolean => source.startsWith(LEDGER_SOURCE_PREFIX);

/** An account with lines of a period, as source of figures. */
export interface AccountSource {
  readonly account: AccountWithBalances;
  readonly source: IpeSource;
}

/** Computes a source for each account and currency of a workpaper in steps. */
export function* computeAccountSources(
  { books }: WorkpaperSite,
  { head, sections }: Workpaper,
): WorkSteps<AccountSource[]> {
  const sources: AccountSource[] = [];
  for (const { currency, schedules } of sections)
    for (const account of listReconciledAccounts(books, currency, head.period)) {
      const schedule = schedules.find(({ id }) => id === getAccountScheduleId(account.id));
      const facts = toAccountFacts(account, schedule?.difference_in_cents ?? 0);
      let [rows, cents] = [0, 0];
      for (const line of readAccountLines(books, account, head.period)) {
        cents = addCents(cents, line.cents);
        if (isLastRowOfStep(rows++)) yield;
      }
      const source: IpeSource = {
        ...{ source: getAccountSource(account.id), title: account.name, origin: 'Files of the account' },
        ...{ from: head.period.first, to: head.period.last, requests: null },
        ...{ rows, currency, amount_in_cents: cents, sha256: null },
        complete: isAccountComplete(facts),
        continuity: describeAccountContinuity(facts),
        completeness: describeAccountCompleteness(facts),
        accuracy: '',
      };
      sources.push({ account, source });
    }
  return sources;
}

function toAccountFacts({ balances, stated }: AccountWithBalances, difference: number): AccountFacts {
  const uncovered = (stated?.uncovered ?? []).map(({ first, last }) =>
    first === last ? first : `${first} to ${last}`,
  );
  return { balances, uncovered, difference };
}

/** Returns one source per currency for each imported bank or processor file of the period. */
export function* listFileSources(
  { books }: WorkpaperSite,
  { sources }: Pick<PeriodLists, 'sources'>,
): Generator<IpeSource> {
  for (const { id, account, file, sha256, dialect } of sources()) {
    const { first_on, last_on, ...counts } = readImportRowCounts(books, id);
    for (const { currency, count, cents } of sumImportedLines(books, id))
      yield {
        ...{
          source: `file-${id}`,
          title: account,
          origin: file,
          from: first_on,
          to: last_on,
          requests: null,
        },
        ...{ rows: count, currency, amount_in_cents: cents, sha256, complete: null },
        continuity: '',
        completeness: describeFileRows(counts),
        accuracy: `Read as ${dialect}.`,
      };
  }
}

/** Returns a source for each ledger file with rows of the period. */
export function* listLedgerSources({
  ledger_imports,
}: Pick<PeriodLists, 'ledger_imports'>): Generator<IpeSource> {
  for (const each of ledger_imports())
    yield {
      ...{ source: `${LEDGER_SOURCE_PREFIX}${each.id}`, title: 'General ledger', origin: each.file },
      ...{ from: each.first_on, to: each.last_on, requests: null, rows: each.rows },
      ...{ currency: each.currency, amount_in_cents: each.debit_in_cents, sha256: each.sha256 },
      complete: false,
      continuity: '',
      completeness:
        'The file does not prove that it contains every posting. S4 compares it with the records.',
      accuracy: describeLedgerAccuracy(each.debit_in_cents, each.credit_in_cents, each.skipped),
    };
}
