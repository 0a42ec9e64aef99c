import type { BankImport, BankProfile, ImportPlan, PlanRow } from '../../contract/bank-imports.ts';
import type { BankAccount, BankLine } from '../../contract/bank-lines.ts';
import { count, counted, money } from '../output/figures.ts';
import { type Column, pairLines } from '../output/table.ts';
import { printable } from '../output/text.ts';

export const accountColumns: Column<BankAccount>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'account', cell: ({ name }) => name, least: 12 },
  { header: 'kind', cell: ({ kind }) => kind },
  { header: 'number', cell: ({ number }) => number, spare: true },
  { header: 'lines', cell: ({ lines }) => count(lines), align: 'right' },
  {
    header: 'not explained',
    cell: ({ lines, states }) => count(lines - (states['matched'] ?? 0) - (states['ignored'] ?? 0)),
    align: 'right',
  },
  { header: 'from', cell: ({ first_on }) => first_on, spare: true },
  { header: 'to', cell: ({ last_on }) => last_on },
  {
    header: 'balance',
    cell: ({ balance }) => (balance ? `${money(balance.amount_in_cents)} ${balance.currency}` : null),
    align: 'right',
    spare: true,
  },
];

export const profileColumns: Column<BankProfile>[] = [
  { header: 'profile', cell: ({ name }) => name },
  { header: 'what', cell: ({ label }) => label, least: 12 },
  { header: 'source', cell: ({ source }) => source },
  { header: '', cell: ({ built_in }) => (built_in ? 'built in' : 'saved') },
];

export const importColumns: Column<BankImport>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'account', cell: ({ account }) => account.name, least: 10 },
  { header: 'file', cell: ({ file }) => file, least: 12 },
  { header: 'state', cell: ({ state }) => state },
  { header: 'lines', cell: ({ rows }) => count(rows.new), align: 'right' },
  { header: 'from', cell: ({ first_on }) => first_on, spare: true },
  { header: 'to', cell: ({ last_on }) => last_on, spare: true },
  { header: 'at (UTC)', cell: ({ at }) => at.slice(0, 16).replace('T', ' ') },
];

export const lineColumns: Column<BankLine>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'account', cell: ({ account }) => account.name, least: 8, spare: true },
  { header: 'booked', cell: ({ booked_on }) => booked_on },
  { header: 'amount', cell: ({ amount_in_cents }) => money(amount_in_cents), align: 'right' },
  { header: 'currency', cell: ({ currency }) => currency },
  { header: 'state', cell: ({ state }) => state },
  { header: 'description', cell: ({ description }) => description, least: 16 },
  { header: 'reference', cell: ({ reference }) => reference, least: 10, spare: true },
];

/** Rows listed for reading; the JSON has them all. */
const MOST_ROWS = 20;

function rowLines(rows: readonly PlanRow[]): string[] {
  const shown = rows
    .slice(0, MOST_ROWS)
    .map(({ place, reason, raw, description }) =>
      printable(`${place}: ${reason} ${raw ?? description ?? ''}`),
    );
  return rows.length > MOST_ROWS
    ? [...shown, `… and ${counted(rows.length - MOST_ROWS, 'more row')}.`]
    : shown;
}

/** What an import did, or would do. */
export function planLines(
  plan: ImportPlan,
  { leftOut, doubtful }: { leftOut: readonly PlanRow[]; doubtful: readonly PlanRow[] },
  done: BankImport | null,
): string[] {
  const { rows, file, account, sums, statements, remarks, questions } = plan;
  const unread = leftOut.filter(({ verdict }) => verdict !== 'duplicate');
  return [
    ...pairLines([
      ['file', `${file.name} (${plan.dialect || 'unknown'})`],
      ['account', account.name],
      ['rows', count(rows.total)],
      ['new', count(rows.new)],
      ['to be looked at', plan.doubtful === 0 ? null : count(plan.doubtful)],
      ['held already', count(rows.duplicate)],
      ['left out', count(rows.skipped)],
      ['not readable', count(rows.failed)],
      ['days', plan.first_on === null ? null : `${plan.first_on} to ${plan.last_on}`],
      ...sums.map(
        (sum) => [`in, out (${sum.currency})`, `${money(sum.in_cents)}, ${money(sum.out_cents)}`] as const,
      ),
      ...statements.flatMap(({ difference_in_cents: difference, place }) =>
        difference === null
          ? []
          : [
              [
                `balances of ${place}`,
                difference === 0 ? 'agree with the lines' : `differ by ${money(difference)}`,
              ] as const,
            ],
      ),
    ]),
    ...remarks.map(({ place, text }) => printable(`${place}: ${text}`)),
    ...rowLines(unread),
    ...(doubtful.length > 0 ? ['To be looked at:', ...rowLines(doubtful)] : []),
    ...questions.flatMap(({ key, text, readings }) => [
      printable(text),
      ...readings.map(({ value, label, examples }) =>
        printable(
          `  --answer ${key}=${value}  ${label}: ${examples.map(({ raw, meaning }) => `${raw} is ${meaning}`).join('; ')}`,
        ),
      ),
    ]),
    done === null
      ? (plan.hindrance ?? 'Nothing was imported: this was the preview.')
      : `Import ${done.id} is done.`,
  ];
}
