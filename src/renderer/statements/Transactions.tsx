import { CircleX } from 'lucide-react';
import type { StatementDetail } from '../../contract/index.ts';
import { Status } from '../controls/Status.tsx';
import { Absent, Moment, Money } from '../controls/Values.tsx';
import { words } from '../words/words.ts';

const text = words.statements;

interface TransactionsProps {
  readonly statement: StatementDetail;
  readonly currency: string;
}

/** What happened on the statement, with the balance after each as the service gives it. */
export function Transactions({ statement, currency }: TransactionsProps) {
  const { transactions } = statement;
  if (transactions.length === 0) return <p className="tab-note">{text.noTransactions}</p>;
  const titles = text.transactionColumns;
  return (
    <div className="tab-scroll">
      <table className="ledger">
        <thead>
          <tr>
            <th scope="col">{titles.at}</th>
            <th scope="col">{titles.type}</th>
            <th scope="col">{titles.memo}</th>
            <th scope="col" className="ledger-end">
              {text.withCurrency(titles.amount, currency)}
            </th>
            <th scope="col" className="ledger-end">
              {titles.balance}
            </th>
          </tr>
        </thead>
        <tbody>
          <tr className="ledger-edge">
            <td />
            <td colSpan={3}>{text.figures.opening}</td>
            <td className="ledger-end">
              <Money cents={statement.starting_balance_in_cents} />
            </td>
          </tr>
          {transactions.map((transaction) => (
            <tr key={transaction.id} className={transaction.success === false ? 'ledger-void' : ''}>
              <td className="ledger-at">
                <Moment at={transaction.created_at} />
              </td>
              <td>
                <span className="ledger-type">{transaction.transaction_type}</span>
                {transaction.kind && <small>{transaction.kind}</small>}
              </td>
              <td>
                {transaction.memo || <Absent />}
                {transaction.success === false && (
                  <small>
                    <Status tone="bad" icon={CircleX}>
                      {text.failedPayment}
                    </Status>
                  </small>
                )}
              </td>
              <td className="ledger-end">
                <Money cents={transaction.amount_in_cents} />
              </td>
              <td className="ledger-end">
                <Money cents={transaction.ending_balance_in_cents} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="ledger-edge">
            <td />
            <td colSpan={3}>{text.figures.closing}</td>
            <td className="ledger-end">
              <Money cents={statement.ending_balance_in_cents} />
            </td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}
