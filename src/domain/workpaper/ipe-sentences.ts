import { formatMoney } from '../ledger/index.ts';
import { formatCount } from '../text/format-count.ts';

/** Sentences of the IPE sheet. They state only what the stored records prove. */

/** Requests for the service's list of statement ids, compared with the ids that are known. */
export interface IdListFacts {
  /** Page number and number of ids of each request. */
  readonly pages: readonly { readonly page: number; readonly rows: number }[];
  /** Number of statements that the service lists, as stored by the syncs. */
  readonly known: number;
}

/** Returns true if the pages have no gap, the last one is the end of the list, and they contain all known ids. */
export function isIdListComplete({ pages, known }: IdListFacts): boolean {
  const sorted = pages.toSorted((a, b) => a.page - b.page);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return false;
  const isContinuous = sorted.every(({ page }, at) => page === at + 1);
  const isEnd = first === last || last.rows < first.rows;
  return isContinuous && isEnd && sorted.reduce((sum, { rows }) => sum + rows, 0) === known;
}

export function describeIdListContinuity(facts: IdListFacts): string {
  const { length } = facts.pages;
  if (!isIdListComplete(facts)) return 'The recorded pages do not form a complete list.';
  return length === 1
    ? 'Page 1 is the only page.'
    : `Pages 1 to ${length} follow each other without a gap, and the last is shorter than the first.`;
}

export const describeIdListCompleteness = (facts: IdListFacts): string =>
  isIdListComplete(facts)
    ? `The list was read from its first to its last page. It names ${formatCount(facts.known, 'statement')}.`
    : 'The recorded requests do not prove that the list was read from its first to its last page.';

/** Statements closed in a period, and what is known about the statements of the site. */
export interface StatementFacts {
  readonly list: IdListFacts;
  /** Number of listed statements that are not stored. */
  readonly missing: number;
  /** True if records of statements could not be read. */
  readonly hasUnread: boolean;
  /** True if the list was read after the period's last day, by the service's time. */
  readonly isReadAfterPeriod: boolean;
  readonly lastDay: string;
  /** Number of statements closed in the period. */
  readonly closed: number;
  /** Number of statements closed in the period that the service no longer lists. */
  readonly vanished: number;
  /** Number of statements closed in the period whose request is not recorded. */
  readonly unrecorded: number;
  /** Number of rows of the figures that show statements that do not foot or are not carried forward. */
  readonly notFooting: number;
}

/** Returns true if the statements of a period are proved to be complete. */
export const areStatementsComplete = (facts: StatementFacts): boolean =>
  isIdListComplete(facts.list) && facts.missing === 0 && !facts.hasUnread && facts.isReadAfterPeriod;

export function describeStatementCompleteness(facts: StatementFacts): string {
  const { list, missing, hasUnread, isReadAfterPeriod, closed, vanished, lastDay } = facts;
  return joinSentences(
    missing > 0
      ? `${missing} of ${formatCount(list.known, 'listed statement')} are not stored.`
      : `Every listed statement is stored. The period has ${formatCount(closed, 'statement')}.`,
    !isIdListComplete(list) && 'The list itself is not proved to be complete.',
    hasUnread && 'Some records of statements could not be read.',
    !isReadAfterPeriod &&
      `The list was not read after ${lastDay} by the service’s time, so later statements may be missing.`,
    vanished > 0 &&
      `The figures exclude ${formatCount(vanished, 'statement')} that the service no longer lists.`,
  );
}

export const describeStatementAccuracy = ({ closed, notFooting, unrecorded }: StatementFacts): string =>
  joinSentences(
    closed > 0 &&
      (notFooting === 0
        ? 'Every statement foots, and every balance within the period is carried forward.'
        : `${formatCount(notFooting, 'difference')} in S1.footing and S1.carried.`),
    unrecorded > 0 && `The request for ${formatCount(unrecorded, 'statement')} was not recorded.`,
  );

/** Returns what proves that the payments in the books are those of the statements. `difference` is S1.cut-off in cents. */
export const describePaymentCompleteness = (areComplete: boolean, difference: number): string =>
  difference !== 0
    ? `The payments differ from the statements by ${formatMoney(difference)}. See S1.cut-off.`
    : joinSentences(
        'The payments dated in the period equal those of the statements (S1.cut-off is zero).',
        !areComplete && 'The statements are not proved to be complete.',
      );

/** Bank or processor account with what its statements prove about a period. */
export interface AccountFacts {
  readonly balances: 'none' | 'one' | 'both';
  /** Ranges of days that no bank statement covers, as text. */
  readonly uncovered: readonly string[];
  /** Difference of the account’s schedule in cents. */
  readonly difference: number;
}

/** Returns true if the lines of an account are proved to be complete. */
export const isAccountComplete = ({ balances, uncovered, difference }: AccountFacts): boolean =>
  balances === 'both' && uncovered.length === 0 && difference === 0;

export function describeAccountContinuity({ balances, uncovered }: AccountFacts): string {
  if (balances === 'none') return 'No bank statement states a balance.';
  return uncovered.length === 0
    ? 'Bank statements cover every day of the period.'
    : `No bank statement covers ${uncovered.join(', ')}.`;
}

export function describeAccountCompleteness(facts: AccountFacts): string {
  const { balances, difference } = facts;
  if (balances !== 'both')
    return 'Without a stated opening and closing balance, the files do not prove that they contain every line.';
  if (difference !== 0)
    return `The closing balance differs by ${formatMoney(difference)} from the opening balance and the lines.`;
  return isAccountComplete(facts)
    ? 'The opening balance and the lines equal the closing balance.'
    : 'The balances and the lines agree, but not every day is covered.';
}

/** Numbers of rows of an imported file. */
export interface FileRowCounts {
  readonly total: number;
  readonly added: number;
  readonly duplicate: number;
  readonly skipped: number;
  readonly failed: number;
}

export const describeFileRows = ({ total, added, duplicate, skipped, failed }: FileRowCounts): string =>
  `${formatCount(total, 'row')}: ${added} new, ${duplicate} already imported, ${skipped} skipped, ${failed} unreadable.`;

/** Returns what the totals of a ledger file show. Amounts are in cents. */
export const describeLedgerAccuracy = (debit: number, credit: number, skipped: number): string =>
  joinSentences(
    `Debits ${formatMoney(debit)}, credits ${formatMoney(credit)}.`,
    skipped > 0 &&
      `${formatCount(skipped, 'row')} not read: headings, totals, unreadable rows and closed periods.`,
  );

/** Returns whether the sources of a figure are proved to be complete. `unproved` are the titles of those that are not. */
export function describeFigureCompleteness(rows: number, unproved: readonly string[]): string {
  if (rows === 0) return 'The figure has no rows.';
  return unproved.length === 0
    ? 'Every source is proved to be complete, or is a decision recorded in the audit log.'
    : `Not proved for: ${unproved.join(', ')}.`;
}

/** Compares a figure with its rows, counted and added up again. Amounts are in cents. */
export function describeFigureAccuracy(
  figure: { readonly count: number; readonly amount: number },
  rows: { readonly count: number; readonly amount: number },
): string {
  if (figure.count === rows.count && figure.amount === rows.amount)
    return `${formatCount(rows.count, 'row')} add${rows.count === 1 ? 's' : ''} up to the figure.`;
  return `The rows do not add up to the figure: ${formatCount(rows.count, 'row')}, ${formatMoney(rows.amount)}.`;
}

/** Adds to the accuracy of a table that its control total is unknown. `unknown` is the number of rows without an amount. */
export const describeTableAccuracy = (accuracy: string, unknown: number): string =>
  joinSentences(
    accuracy !== '' && accuracy,
    unknown > 0 && `The control total is unknown: ${formatCount(unknown, 'row')} without an amount.`,
  );

const joinSentences = (...sentences: readonly (string | false)[]): string =>
  sentences.filter((sentence) => sentence !== false).join(' ');
