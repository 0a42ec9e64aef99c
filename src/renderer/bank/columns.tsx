import type { BankLine } from '../../contract/index.ts';
import { Absent } from '../controls/Values.tsx';
import type { Column } from '../grid/columns.ts';
import { idColumn, moneyColumn } from '../grid/valueColumns.tsx';
import { dateText } from '../words/moments.ts';
import { words } from '../words/words.ts';
import { MatchStatus } from './looks.tsx';

const text = words.bank;
const titles = text.columns;

type TextField = 'reference' | 'counterparty' | 'bank_id' | 'payout_id' | 'gateway_transaction_id';

function textColumn(
  id: keyof typeof titles,
  field: TextField,
  width: number,
  hidden = true,
): Column<BankLine> {
  return {
    id,
    title: titles[id],
    width,
    hidden,
    cell: (row) => (
      <span className="grid-quiet" title={row[field] ?? undefined}>
        {row[field] ?? <Absent />}
      </span>
    ),
    copy: (row) => ({ text: row[field] ?? '' }),
  };
}

function amount(id: 'claimed' | 'fee' | 'net', read: (row: BankLine) => number | null): Column<BankLine> {
  return moneyColumn({ id, title: titles[id], width: 116, hidden: true }, read);
}

export const lineColumns: readonly Column<BankLine>[] = [
  {
    id: 'booked',
    title: titles.booked,
    width: 112,
    sort: 'booked_on',
    cell: (row) => dateText(row.booked_on),
    copy: (row) => ({ text: row.booked_on }),
  },
  moneyColumn(
    { id: 'amount', title: titles.amount, width: 116, sort: 'amount_in_cents' },
    (row) => row.amount_in_cents,
  ),
  {
    id: 'currency',
    title: titles.currency,
    width: 72,
    hidden: true,
    cell: (row) => row.currency,
    copy: (row) => ({ text: row.currency }),
  },
  {
    id: 'description',
    title: titles.description,
    width: 200,
    grows: true,
    cell: (row) => (
      <span className="grid-strong" title={row.description}>
        {row.description || <Absent />}
      </span>
    ),
    copy: (row) => ({ text: row.description }),
  },
  textColumn('reference', 'reference', 128, false),
  textColumn('counterparty', 'counterparty', 128, false),
  {
    id: 'account',
    title: titles.account,
    width: 118,
    cell: (row) => row.account.name,
    copy: (row) => ({ text: row.account.name }),
  },
  {
    id: 'kind',
    title: titles.kind,
    width: 100,
    hidden: true,
    cell: (row) => text.kinds[row.kind],
    copy: (row) => ({ text: row.kind }),
  },
  {
    id: 'state',
    title: titles.state,
    width: 130,
    cell: (row) => <MatchStatus state={row.state} />,
    copy: (row) => ({ text: text.states[row.state] }),
  },
  amount('claimed', (row) => row.claimed_in_cents),
  amount('fee', (row) => row.fee_in_cents),
  amount('net', (row) => row.net_in_cents),
  {
    id: 'value',
    title: titles.value,
    width: 112,
    hidden: true,
    cell: (row) => (row.value_on === null ? <Absent /> : dateText(row.value_on)),
    copy: (row) => ({ text: row.value_on ?? '' }),
  },
  textColumn('payout', 'payout_id', 140),
  textColumn('bankId', 'bank_id', 150),
  textColumn('gateway', 'gateway_transaction_id', 170),
  {
    id: 'file',
    title: titles.file,
    width: 160,
    hidden: true,
    cell: (row) => <span title={row.file}>{row.file}</span>,
    copy: (row) => ({ text: row.file }),
  },
  idColumn(
    {
      id: 'row',
      title: titles.row,
      width: 72,
      end: true,
      hidden: true,
    },
    (row) => row.row,
  ),
  idColumn(
    {
      id: 'id',
      title: titles.id,
      width: 80,
      end: true,
      hidden: true,
    },
    (row) => row.id,
  ),
];
