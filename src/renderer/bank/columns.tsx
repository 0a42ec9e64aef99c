import type { BankLine } from '../../contract/index.ts';
import type { Column } from '../grid/columns.ts';
import { dateColumn, idColumn, moneyColumn, textColumn } from '../grid/value-columns.tsx';
import { words } from '../words/words.ts';
import { MatchStatus } from './looks.tsx';

const text = words.bank;
const titles = text.columns;

type TextField = 'reference' | 'counterparty' | 'bank_id' | 'payout_id' | 'gateway_transaction_id';

function quiet(id: keyof typeof titles, field: TextField, width: number, hidden = true): Column<BankLine> {
  return textColumn({ id, title: titles[id], width, hidden, tone: 'quiet' }, (row) => row[field]);
}

function amount(id: 'claimed' | 'fee' | 'net', read: (row: BankLine) => number | null): Column<BankLine> {
  return moneyColumn({ id, title: titles[id], width: 116, hidden: true }, read);
}

export const lineColumns: readonly Column<BankLine>[] = [
  dateColumn({ id: 'booked', title: titles.booked, width: 112, sort: 'booked_on' }, (row) => row.booked_on),
  moneyColumn(
    { id: 'amount', title: titles.amount, width: 116, sort: 'amount_in_cents' },
    (row) => row.amount_in_cents,
  ),
  textColumn({ id: 'currency', title: titles.currency, width: 72, hidden: true }, (row) => row.currency),
  textColumn(
    { id: 'description', title: titles.description, width: 200, grows: true, tone: 'strong' },
    (row) => row.description,
  ),
  quiet('reference', 'reference', 128, false),
  quiet('counterparty', 'counterparty', 128, false),
  textColumn({ id: 'account', title: titles.account, width: 118 }, (row) => row.account.name),
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
  dateColumn({ id: 'value', title: titles.value, width: 112, hidden: true }, (row) => row.value_on),
  quiet('payout', 'payout_id', 140),
  quiet('bankId', 'bank_id', 150),
  quiet('gateway', 'gateway_transaction_id', 170),
  textColumn({ id: 'file', title: titles.file, width: 160, hidden: true }, (row) => row.file),
  idColumn({ id: 'row', title: titles.row, width: 72, end: true, hidden: true }, (row) => row.row),
  idColumn({ id: 'id', title: titles.id, width: 80, end: true, hidden: true }, (row) => row.id),
];
