import { createHash, type Hash } from 'node:crypto';
import type { IpeFigure, IpeSource, Workpaper } from '../../../contract/index.ts';
import { formatCsvRow } from '../../../domain/csv/csv-row.ts';
import { addCents, type Cents } from '../../../domain/ledger/index.ts';
import type { WorkSteps } from '../../../domain/work-steps/work-steps.ts';
import { findScheduleAccount, type RowContribution } from '../../../domain/workpaper/index.ts';
import {
  describeFigureAccuracy,
  describeFigureCompleteness,
} from '../../../domain/workpaper/ipe-sentences.ts';
import { MATCHING_PASSES_VERSION } from '../../matching/matching-passes.ts';
import { readAllContributions } from '../figure-rows.ts';
import type { WorkpaperSite } from '../workpaper-site.ts';
import { ID_LIST_SOURCE, PAYMENT_SOURCE, STATEMENT_SOURCE, TRANSACTION_SOURCE } from './billing-sources.ts';
import { type AccountSource, getAccountSource, isLedgerSource } from './file-sources.ts';

/** Column names of the rows behind the figures. */
export const FIGURE_ROW_COLUMNS = [
  ...(['figure', 'currency', 'kind', 'id', 'statement', 'match', 'day'] as const),
  'amount_in_cents',
] as const;

/** Returns the cells of a row behind a figure. */
export function toFigureRowCells(row: RowContribution): (string | number | null)[] {
  const { figure, currency, kind, id, statement, match, day, cents } = row;
  return [figure, currency, kind, id, statement ?? null, match ?? null, day, cents];
}

export const MATCH_SOURCE = 'match_items';
export const LINE_SOURCE = 'bank_lines';
export const PAYOUT_SOURCE = 'payouts';
export const ENTRY_SOURCE = 'journal';

interface RowTotals {
  readonly digest: Hash;
  readonly kinds: Set<RowContribution['kind']>;
  count: number;
  amount: Cents;
  hasMatch: boolean;
}

/** Counts, adds up and digests the rows of all figures again, in the order in which they are read. */
function* sumFigureRows(site: WorkpaperSite, period: string): WorkSteps<Map<string, RowTotals>> {
  const totals = new Map<string, RowTotals>();
  for (const row of readAllContributions(site, period)) {
    yield;
    if (row === null) continue;
    const key = `${row.figure} ${row.currency}`;
    const total = totals.get(key) ?? createRowTotals();
    totals.set(key, total);
    total.digest.update(formatCsvRow(toFigureRowCells(row)));
    total.kinds.add(row.kind);
    total.count++;
    total.amount = addCents(total.amount, row.cents);
    total.hasMatch ||= row.match !== undefined || row.kind === 'match';
  }
  return totals;
}

const createRowTotals = (): RowTotals => ({
  digest: createHash('sha256'),
  kinds: new Set(),
  count: 0,
  amount: 0,
  hasMatch: false,
});

/** Sources from which the rows of figures come. */
export interface FigureSources {
  readonly all: readonly IpeSource[];
  readonly accounts: readonly AccountSource[];
}

/** Computes what proves each figure that consists of rows, in steps and in the order of the workpaper. */
export function* proveFigures(
  site: WorkpaperSite,
  { head, sections }: Workpaper,
  sources: FigureSources,
): WorkSteps<IpeFigure[]> {
  const totals = yield* sumFigureRows(site, head.period.period);
  return sections.flatMap(({ currency, schedules }) =>
    schedules.flatMap(({ lines }) =>
      lines
        .filter(({ opens }) => opens)
        .map(({ id: figure, count, amount_in_cents: amount }): IpeFigure => {
          const rows = totals.get(`${figure} ${currency}`) ?? createRowTotals();
          const keys = findFigureSources(figure, currency, rows, sources);
          const unproved = sources.all.filter(
            (source) =>
              keys.has(source.source) &&
              source.complete === false &&
              (source.currency ?? currency) === currency,
          );
          return {
            currency,
            figure,
            rows: rows.count,
            amount_in_cents: rows.amount,
            sha256: rows.digest.digest('hex'),
            sources: [...keys].filter((key) => sources.all.some(({ source }) => source === key)),
            completeness: describeFigureCompleteness(rows.count, [
              ...new Set(unproved.map(({ title }) => title)),
            ]),
            accuracy: describeFigureAccuracy({ count: count ?? 0, amount }, rows),
            rules: rows.hasMatch ? `matching ${MATCHING_PASSES_VERSION}` : null,
          };
        }),
    ),
  );
}

/** Returns the keys of the sources that rows of these kinds come from. */
function findFigureSources(
  figure: string,
  currency: string,
  { kinds, hasMatch }: Pick<RowTotals, 'kinds' | 'hasMatch'>,
  { all, accounts }: FigureSources,
): Set<string> {
  const keys = new Set<string>();
  const add = (...names: string[]) => {
    for (const name of names) keys.add(name);
  };
  if (kinds.has('transaction')) add(ID_LIST_SOURCE, STATEMENT_SOURCE, TRANSACTION_SOURCE);
  if (kinds.has('statement')) add(ID_LIST_SOURCE, STATEMENT_SOURCE);
  if (kinds.has('payment')) add(PAYMENT_SOURCE);
  if (kinds.has('line')) add(LINE_SOURCE);
  if (kinds.has('payout')) add(PAYOUT_SOURCE);
  if (kinds.has('line') || kinds.has('payout') || kinds.has('match') || kinds.has('bank_statement'))
    add(...findFigureAccounts(figure, currency, accounts));
  if (hasMatch) add(MATCH_SOURCE);
  if (kinds.has('entry')) add(ENTRY_SOURCE);
  if (kinds.has('ledger') || kinds.has('balance'))
    add(...all.map(({ source }) => source).filter(isLedgerSource));
  return keys;
}

/** Returns the accounts of a figure: the one that its schedule names, those of its kind, or all in its currency. */
function findFigureAccounts(figure: string, currency: string, accounts: readonly AccountSource[]): string[] {
  const own = findScheduleAccount(figure);
  return accounts
    .filter(({ account }) => account.currency === currency && (own === null || account.id === own))
    .map(({ account }) => getAccountSource(account.id));
}
