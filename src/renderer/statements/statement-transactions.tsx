import { CircleX } from 'lucide-react';
import { useMemo } from 'react';
import type { StatementDetail, TransactionRow } from '../../contract/index.ts';
import { MissingValue, Money } from '../controls/formatted-values.tsx';
import { StatusLabel } from '../controls/status-label.tsx';
import { SortableTable, type TableColumn } from '../grid/sortable-table/sortable-table.tsx';
import { parseDateTime } from '../texts/date-times.ts';
import { formatDecimal } from '../texts/money.ts';
import { texts } from '../texts/texts.ts';
import { calculateRunningBalances, type RunningBalance } from './running-balances.ts';
import { createAmountColumn, createBalanceRow, createTimeColumn } from './table-columns.tsx';

const text = texts.statements;

interface TransactionsProps {
  readonly statement: StatementDetail;
  readonly currency: string;
}

/** Lists the transactions of a statement with the balance after each one, which sorting does not change. */
export function StatementTransactions({ statement, currency }: TransactionsProps) {
  const columns = useMemo(
    () => transactionColumns(calculateRunningBalances(statement), currency),
    [statement, currency],
  );
  const { transactions, starting_balance_in_cents: opening, ending_balance_in_cents: closing } = statement;
  if (transactions.length === 0) return <p className="tab-note">{text.noTransactions}</p>;
  return (
    <div className="tab-scroll">
      <SortableTable
        label={text.tabs.transactions}
        columns={columns}
        rows={transactions}
        idOf={(row) => row.id}
        classOf={(row) => (row.success === false ? 'sortable-table-failed' : '')}
        topRow={createBalanceRow(text.figures.opening, opening)}
        bottomRow={createBalanceRow(text.figures.closing, closing)}
      />
    </div>
  );
}

function transactionColumns(
  balances: ReadonlyMap<number, RunningBalance>,
  currency: string,
): readonly TableColumn<TransactionRow>[] {
  const titles = text.transactionColumns;
  const balance = (row: TransactionRow) => balances.get(row.id) ?? { cents: null, sent: false };
  return [
    {
      ...createTimeColumn<TransactionRow>(titles.at, (row) => row.created_at),
      sortValue: (row) => parseDateTime(row.created_at ?? ''),
    },
    {
      id: 'type',
      title: titles.type,
      sortValue: (row) => `${row.transaction_type} ${row.kind ?? ''}`,
      cell: (row) => (
        <>
          <span className="sortable-table-type">{row.transaction_type}</span>
          {row.kind && <small>{row.kind.replaceAll('_', ' ')}</small>}
        </>
      ),
      copy: (row) => ({ text: row.kind ? `${row.transaction_type} (${row.kind})` : row.transaction_type }),
    },
    {
      id: 'memo',
      title: titles.memo,
      sortValue: (row) => row.memo,
      cell: (row) => (
        <>
          {row.memo || <MissingValue />}
          {row.success === false && (
            <small>
              <StatusLabel tone="bad" icon={CircleX} text={text.failedPayment} />
            </small>
          )}
        </>
      ),
      copy: (row) => ({
        text: row.success === false ? `${row.memo ?? ''} (${text.failedPayment})`.trim() : (row.memo ?? ''),
      }),
    },
    createAmountColumn(
      { id: 'amount', title: text.withCurrency(titles.amount, currency) },
      (row) => row.amount_in_cents,
    ),
    {
      id: 'balance',
      title: titles.balance,
      alignEnd: true,
      cell: (row) => {
        const { cents, sent } = balance(row);
        return (
          <span {...(sent ? {} : { className: 'sortable-table-balance', title: text.calculatedBalance })}>
            <Money cents={cents} />
          </span>
        );
      },
      copy: (row) => {
        const { cents } = balance(row);
        return { exact: cents === null ? '' : formatDecimal(cents) };
      },
    },
  ];
}
