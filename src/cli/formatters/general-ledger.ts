import type { JournalEntry } from '../../contract/general-ledger/journal.ts';
import type {
  LedgerAccount,
  LedgerImport,
  LedgerLine,
  LedgerPlan,
} from '../../contract/general-ledger/ledger.ts';
import { formatCount, formatMoney, formatNumber } from '../output/format-values.ts';
import {
  createCountColumn,
  createMoneyColumn,
  formatTableLines,
  getTerminalWidth,
  type TableColumn,
} from '../output/table.ts';
import type { TextLines } from '../output/terminal-text.ts';

export const ledgerAccountColumns: TableColumn<LedgerAccount>[] = [
  { header: 'account', cell: ({ account }) => account, minWidth: 8 },
  { header: 'name', cell: ({ name }) => name, minWidth: 12 },
  { header: 'area', cell: ({ area }) => area ?? 'not mapped' },
  createCountColumn('lines', ({ lines }) => lines),
  createCountColumn('balances', ({ balances }) => balances),
  { header: 'from', cell: ({ first_on }) => first_on, isOptional: true },
  { header: 'to', cell: ({ last_on }) => last_on, isOptional: true },
];

export const ledgerImportColumns: TableColumn<LedgerImport>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'kind', cell: ({ kind }) => kind },
  { header: 'file', cell: ({ file }) => file, minWidth: 12 },
  { header: 'state', cell: ({ state }) => state },
  createCountColumn('rows', ({ rows }) => rows),
  { header: 'from', cell: ({ first_on }) => first_on },
  { header: 'to', cell: ({ last_on }) => last_on },
  createMoneyColumn('debit', ({ debit_in_cents }) => debit_in_cents),
  createMoneyColumn('credit', ({ credit_in_cents }) => credit_in_cents),
];

export const ledgerLineColumns: TableColumn<LedgerLine>[] = [
  { header: 'id', cell: ({ id }) => id, align: 'right' },
  { header: 'date', cell: ({ dated_on }) => dated_on },
  { header: 'account', cell: ({ account }) => account, minWidth: 8 },
  { header: 'area', cell: ({ area }) => area },
  createMoneyColumn('amount', ({ amount_in_cents }) => amount_in_cents),
  { header: 'currency', cell: ({ currency }) => currency },
  { header: 'entry', cell: ({ entry }) => entry },
  { header: 'text', cell: ({ text }) => text, minWidth: 16 },
];

const planAccountColumns: TableColumn<LedgerPlan['accounts'][number]>[] = [
  { header: 'account', cell: ({ account }) => account, minWidth: 8 },
  { header: 'name', cell: ({ name }) => name, minWidth: 12 },
  { header: 'area', cell: ({ area }) => area ?? 'not mapped' },
  createCountColumn('rows', ({ rows }) => rows),
  createMoneyColumn('debit', ({ debit_in_cents }) => debit_in_cents),
  createMoneyColumn('credit', ({ credit_in_cents }) => credit_in_cents),
];

export function formatLedgerPlan(plan: LedgerPlan): TextLines {
  const { file, kind, dialect, rows, skipped, locked, first_on, last_on } = plan;
  const noun = kind === 'balances' ? 'balance' : 'posting';
  return [
    `${file}: ${dialect}; ${formatCount(rows, noun)}${first_on === null ? '' : `, ${first_on} to ${last_on}`}.`,
    `Debits ${formatMoney(plan.debit_in_cents)}, credits ${formatMoney(plan.credit_in_cents)} ${plan.currency}; ${formatNumber(skipped)} rows without a posting.`,
    locked > 0 && `${formatCount(locked, 'row')} in closed periods will not be imported.`,
    formatTableLines(planAccountColumns, plan.accounts, getTerminalWidth() - 1),
    plan.replaces.map(({ id, file: name }) => `Replaces rows of import ${id} (${name}).`),
    plan.problems.map(({ location, reason }) => `! ${location}: ${reason}`),
    plan.blocker !== null && `Cannot be imported: ${plan.blocker}`,
  ];
}

export function formatJournalEntries(entries: readonly JournalEntry[]): TextLines {
  if (entries.length === 0) return ['There are no journal entries.'];
  return entries.map(
    ({ id, number, state, dated_on, memo, currency, lines, blocker, reverses_on, posted_on }) => [
      `${number ?? `Entry ${id}`} (${posted_on === null ? state : `posted on ${posted_on}`}), ${dated_on}: ${memo}${reverses_on === null ? '' : `, reversed on ${reverses_on}`}`,
      lines.map(({ account, name, debit_in_cents, credit_in_cents }) => {
        const side =
          debit_in_cents > 0
            ? `debit  ${formatMoney(debit_in_cents)}`
            : `credit ${formatMoney(credit_in_cents)}`;
        return `   ${side} ${currency}  ${account}${name === null ? '' : ` ${name}`}`;
      }),
      blocker !== null && `   ! ${blocker}`,
    ],
  );
}
