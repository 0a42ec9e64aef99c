import type { BankLine } from '../../contract/index.ts';
import type { GridColumn } from '../grid/columns/columns.ts';
import { dateColumn, idColumn, moneyColumn, textColumn } from '../grid/columns/value-columns.tsx';
import { texts } from '../texts/texts.ts';
import { MatchStateBadge } from './status-badges.tsx';

const text = texts.bank;
const titles = text.columns;

type TextField = 'reference' | 'counterparty' | 'bank_id' | 'payout_id' | 'gateway_transaction_id';

function quiet(
  id: keyof typeof titles,
  field: TextField,
  width: number,
  isHiddenByDefault = true,
): GridColumn<BankLine> {
  return textColumn({ id, title: titles[id], width, isHiddenByDefault, tone: 'quiet' }, (row) => row[field]);
}

function amount(id: 'claimed' | 'fee' | 'net', read: (row: BankLine) => number | null): GridColumn<BankLine> {
  return moneyColumn({ id, title: titles[id], width: 116, isHiddenByDefault: true }, read);
}

export const bankLineColumns: readonly GridColumn<BankLine>[] = [
  dateColumn(
    { id: 'booked', title: titles.booked, width: 112, sortKey: 'booked_on' },
    (row) => row.booked_on,
  ),
  moneyColumn(
    { id: 'amount', title: titles.amount, width: 116, sortKey: 'amount_in_cents' },
    (row) => row.amount_in_cents,
  ),
  textColumn(
    { id: 'currency', title: titles.currency, width: 72, isHiddenByDefault: true },
    (row) => row.currency,
  ),
  textColumn(
    { id: 'description', title: titles.description, width: 200, fillsSpace: true, tone: 'strong' },
    (row) => row.description,
  ),
  quiet('reference', 'reference', 128, false),
  quiet('counterparty', 'counterparty', 128, false),
  textColumn({ id: 'account', title: titles.account, width: 118 }, (row) => row.account.name),
  {
    id: 'kind',
    title: titles.kind,
    width: 100,
    isHiddenByDefault: true,
    cell: (row) => text.kinds[row.kind],
    copy: (row) => ({ text: row.kind }),
  },
  {
    id: 'state',
    title: titles.state,
    width: 130,
    cell: (row) => <MatchStateBadge state={row.state} />,
    copy: (row) => ({ text: text.states[row.state] }),
  },
  amount('claimed', (row) => row.claimed_in_cents),
  amount('fee', (row) => row.fee_in_cents),
  amount('net', (row) => row.net_in_cents),
  dateColumn(
    { id: 'value', title: titles.value, width: 112, isHiddenByDefault: true },
    (row) => row.value_on,
  ),
  quiet('payout', 'payout_id', 140),
  quiet('bankId', 'bank_id', 150),
  quiet('gateway', 'gateway_transaction_id', 170),
  textColumn({ id: 'file', title: titles.file, width: 160, isHiddenByDefault: true }, (row) => row.file),
  idColumn(
    { id: 'row', title: titles.row, width: 72, alignEnd: true, isHiddenByDefault: true },
    (row) => row.row,
  ),
  idColumn(
    { id: 'id', title: titles.id, width: 80, alignEnd: true, isHiddenByDefault: true },
    (row) => row.id,
  ),
];
