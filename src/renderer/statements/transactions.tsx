import { CircleX } from 'lucide-react';
import { useMemo } from 'react';
import type { StatementDetail, TransactionRow } from '../../contract/index.ts';
import { Status } from '../controls/status.tsx';
import { Absent, Moment, Money } from '../controls/values.tsx';
import { Ledger, type LedgerColumn } from '../grid/ledger.tsx';
import { instantOf } from '../words/moments.ts';
import { decimalOf } from '../words/money.ts';
import { words } from '../words/words.ts';
import { type BalanceAfter, balancesAfter } from './balances.ts';

const text = words.statements;

interface TransactionsProps {
  readonly statement: StatementDetail;
  readonly currency: string;
}

/** What happened on the statement, with the balance after each line, which stays its own in every order of the lines. */
export function Transactions({ statement, currency }: TransactionsProps) {
  const columns = useMemo(
    () => transactionColumns(balancesAfter(statement), currency),
    [statement, currency],
  );
  const { transactions, starting_balance_in_cents: opening, ending_balance_in_cents: closing } = statement;
  if (transactions.length === 0) return <p className="tab-note">{text.noTransactions}</p>;
  return (
    <div className="tab-scroll">
      <Ledger
        label={text.tabs.transactions}
        columns={columns}
        rows={transactions}
        idOf={(row) => row.id}
        classOf={(row) => (row.success === false ? 'ledger-void' : '')}
        top={{
          title: text.figures.opening,
          cell: <Money cents={opening} />,
          copy: { exact: decimalOf(opening) },
        }}
        bottom={{
          title: text.figures.closing,
          cell: <Money cents={closing} />,
          copy: { exact: decimalOf(closing) },
        }}
      />
    </div>
  );
}

function transactionColumns(
  balances: ReadonlyMap<number, BalanceAfter>,
  currency: string,
): readonly LedgerColumn<TransactionRow>[] {
  const titles = text.transactionColumns;
  const balance = (row: TransactionRow) => balances.get(row.id) ?? { cents: null, sent: false };
  return [
    {
      id: 'at',
      title: titles.at,
      className: 'ledger-at',
      by: (row) => instantOf(row.created_at ?? ''),
      cell: (row) => <Moment at={row.created_at} />,
      copy: (row) => ({ text: row.created_at ?? '' }),
    },
    {
      id: 'type',
      title: titles.type,
      by: (row) => `${row.transaction_type} ${row.kind ?? ''}`,
      cell: (row) => (
        <>
          <span className="ledger-type">{row.transaction_type}</span>
          {row.kind && <small>{row.kind.replaceAll('_', ' ')}</small>}
        </>
      ),
      copy: (row) => ({ text: row.kind ? `${row.transaction_type} (${row.kind})` : row.transaction_type }),
    },
    {
      id: 'memo',
      title: titles.memo,
      by: (row) => row.memo,
      cell: (row) => (
        <>
          {row.memo || <Absent />}
          {row.success === false && (
            <small>
              <Status tone="bad" icon={CircleX}>
                {text.failedPayment}
              </Status>
            </small>
          )}
        </>
      ),
      copy: (row) => ({
        text: row.success === false ? `${row.memo ?? ''} (${text.failedPayment})`.trim() : (row.memo ?? ''),
      }),
    },
    {
      id: 'amount',
      title: text.withCurrency(titles.amount, currency),
      end: true,
      by: (row) => row.amount_in_cents,
      cell: (row) => <Money cents={row.amount_in_cents} />,
      copy: (row) => ({ exact: decimalOf(row.amount_in_cents) }),
    },
    {
      id: 'balance',
      title: titles.balance,
      end: true,
      cell: (row) => {
        const { cents, sent } = balance(row);
        return (
          <span {...(sent ? {} : { className: 'ledger-carried', title: text.carriedBalance })}>
            <Money cents={cents} />
          </span>
        );
      },
      copy: (row) => {
        const { cents } = balance(row);
        return { exact: cents === null ? '' : decimalOf(cents) };
      },
    },
  ];
}
