import type { Workpaper } from '../../contract/index.ts';
import { type ComparedLedgerArea, comparedLedgerAreas } from '../../domain/general-ledger/index.ts';
import { ledgerAreaLabels } from '../../domain/labels/general-ledger.ts';
import { type DateRange, formatMoney } from '../../domain/ledger/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { findReasonForFullCheck } from '../checks/check-inputs.ts';
import { findReasonForNewMatchingRun } from '../matching/match-summary.ts';
import { countChangedCheckUnits } from '../store/check-queue/check-queue.ts';
import { listAccountsOfAreas } from '../store/general-ledger/ledger-movements.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { readSyncPartState } from '../store/sync/sync-unit.ts';
import { findLatestLineDate } from '../store/workpaper/workpaper-money.ts';
import { type AccountWithBalances, listReconciledAccounts } from './account-contributions.ts';

type Qualification = Workpaper['qualifications'][number];

interface QualificationInputs extends Pick<Workpaper, 'sections' | 'exceptions'> {
  readonly cache: ReadableDb;
  readonly books: ReadableDb;
  readonly days: DateRange;
}

/** Returns the qualifications that readers must know before they rely on the figures. */
export function findQualifications({
  cache,
  books,
  days,
  sections,
  exceptions,
}: QualificationInputs): Qualification[] {
  const count = exceptions.open;
  const messages: [Qualification['kind'], string | null][] = [
    [
      'empty',
      hasScheduleRows(sections)
        ? null
        : 'No stored record falls in the period, so the figures prove nothing.',
    ],
    ['sync', qualifySync(cache, days)],
    [
      'check',
      countChangedCheckUnits(cache) > 0
        ? 'Records changed since they were checked.'
        : findReasonForFullCheck({ cache, books }),
    ],
    ['match', findReasonForNewMatchingRun(cache, books)],
    ['bank', qualifyBankLines(findLatestLineDate(books), days)],
    [
      'exceptions',
      count === 0
        ? null
        : `${formatCount(count, 'exception')} of the billing records ${count === 1 ? 'is' : 'are'} open. S2 and S3 depend on these records.`,
    ],
    ...sections.flatMap(({ currency }) =>
      listReconciledAccounts(books, currency, days).map((account): [Qualification['kind'], string | null] => [
        'balance',
        qualifyAccount(account),
      ]),
    ),
    ...listMissingLedgerAreas(books, sections).map((area): [Qualification['kind'], string] => [
      'ledger',
      `${ledgerAreaLabels[area]} is not compared, because the ledger files have no row of its accounts in the period.`,
    ]),
    ...sections.flatMap(qualifySection),
  ];
  return messages.flatMap(([kind, message]) => (message === null ? [] : [{ kind, message }]));
}

/** Returns true if at least one figure has a row. A schedule without rows foots, but proves nothing. */
export function hasScheduleRows(sections: Workpaper['sections']): boolean {
  return sections.some(({ schedules }) =>
    schedules.some(({ lines }) => lines.some(({ count }) => count !== null && count > 0)),
  );
}

function qualifySync(cache: ReadableDb, { last }: DateRange): string | null {
  const { complete, synced_at = null } = readSyncPartState(cache, 'statements') ?? {};
  if (complete !== true) return 'Not all statements of the service are stored.';
  if (synced_at !== null && new Date(synced_at).toISOString().slice(0, 10) > last) return null;
  return `The statements were last synced before the day after ${last}. Later statements may be missing.`;
}

function qualifyBankLines(last: string | null, { first }: DateRange): string | null {
  if (last === null) return 'No bank or processor file has been imported.';
  return last < first ? `The imported bank and processor files end on ${last}, before the period.` : null;
}

/** Returns the mapped areas that S4 compares in no currency. */
function listMissingLedgerAreas(
  books: ReadableDb,
  sections: Workpaper['sections'],
): readonly ComparedLedgerArea[] {
  const figures = new Set(
    sections.flatMap(({ schedules }) => schedules.flatMap(({ lines }) => lines.map(({ id }) => id))),
  );
  const areas = new Set(listAccountsOfAreas(books, comparedLedgerAreas).map(({ area }) => area));
  return comparedLedgerAreas.filter((area) => areas.has(area) && !figures.has(`S4.${area}`));
}

/** Returns the days of an account that no bank statement proves. Null if none, or for a processor without balances. */
export function qualifyAccount({
  name,
  kind,
  currency,
  balances,
  stated,
}: AccountWithBalances): string | null {
  const account = `“${name}” (${currency})`;
  if (balances !== 'both' && kind === 'processor') return null;
  if (balances === 'none') return `No bank statement states a balance of ${account}.`;
  if (balances === 'one')
    return `Only one balance of ${account} is stated, so its lines are not proved to be complete.`;
  const uncovered = stated?.uncovered ?? [];
  if (uncovered.length === 0) return null;
  const ranges = uncovered.map(({ first, last }) => (first === last ? first : `${first} to ${last}`));
  return `No bank statement of ${account} covers ${ranges.join(', ')}.`;
}

function qualifySection({
  currency,
  schedules,
  outstanding,
}: Workpaper['sections'][number]): [Qualification['kind'], string][] {
  const material = schedules.filter(({ materiality }) => materiality?.passed !== true);
  const differences = material.filter(({ difference_in_cents }) => difference_in_cents !== 0);
  const unexplainedCount = material.reduce((sum, { unexplained }) => sum + unexplained.count, 0);
  const passedCount = schedules.reduce(
    (sum, { materiality }) => (materiality?.passed ? sum + materiality.tested_count : sum),
    0,
  );
  const count = Math.max(unexplainedCount, outstanding.unexplained - passedCount);
  const items = `${formatCount(count, 'item')} in ${currency} ${count === 1 ? 'is' : 'are'} not explained.`;
  return [
    ...differences.map(({ id, title, difference_in_cents: cents }): [Qualification['kind'], string] => [
      'difference',
      `${id} (${title}) shows a difference of ${formatMoney(cents)} ${currency}.`,
    ]),
    ...(count > 0 ? [['unexplained', items] as [Qualification['kind'], string]] : []),
    ...schedules.flatMap(({ id, title, materiality }): [Qualification['kind'], string][] =>
      materiality?.passed === true
        ? [
            [
              'immaterial',
              `${id} (${title}): differences and unexplained items of ${formatMoney(materiality.tested_in_cents)} ${currency} are passed as immaterial, below the threshold of ${formatMoney(materiality.threshold_in_cents)}.`,
            ],
          ]
        : [],
    ),
  ];
}
