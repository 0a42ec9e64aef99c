import { Button as AriaButton } from 'react-aria-components';
import type { BankAccount, BankLineFilter } from '../../contract/index.ts';
import { setFilter } from '../navigation/window-state.ts';
import { formatDate } from '../texts/moments.ts';
import { formatMoney } from '../texts/money.ts';
import { texts } from '../texts/texts.ts';

const text = texts.bank;

interface AccountStripProps {
  readonly accounts: readonly BankAccount[];
  readonly filter: BankLineFilter;
}

/**
 * Shows the accounts with the number of unmatched lines in each. Clicking an account filters the list by that account.
 */
export function AccountStrip({ accounts, filter }: AccountStripProps) {
  const chosen = filter.account ?? [];
  return (
    <ul className="bank-accounts" aria-label={text.accounts}>
      {accounts.map((account) => {
        const only = chosen.length === 1 && chosen[0] === account.id;
        return (
          <li key={account.id}>
            <AriaButton
              className="bank-account"
              aria-pressed={only}
              onPress={() => setFilter('bank', { ...filter, account: only ? undefined : [account.id] })}
            >
              <b>{account.name}</b>
              <span className="fineprint">{text.accountKinds[account.kind]}</span>
              <span>
                {text.lineCount(account.lines)} · {text.unmatchedCount(countUnmatched(account))}
              </span>
              <span className="fineprint">{formatBalance(account)}</span>
            </AriaButton>
          </li>
        );
      })}
    </ul>
  );
}

function countUnmatched({ states }: BankAccount): number {
  return ['open', 'ambiguous', 'suggested', 'part'].reduce((sum, state) => sum + (states[state] ?? 0), 0);
}

function formatBalance({ balance }: BankAccount): string {
  return balance === null
    ? text.noBalance
    : text.balanceOn(formatMoney(balance.amount_in_cents, balance.currency), formatDate(balance.on));
}
