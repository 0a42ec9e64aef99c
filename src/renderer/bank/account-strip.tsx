import { Button as AriaButton } from 'react-aria-components';
import type { BankAccount, BankLineFilter } from '../../contract/index.ts';
import { setFilter } from '../view/view.ts';
import { dateText } from '../words/moments.ts';
import { moneyText } from '../words/money.ts';
import { words } from '../words/words.ts';

const text = words.bank;

interface AccountStripProps {
  readonly accounts: readonly BankAccount[];
  readonly filter: BankLineFilter;
}

/** The accounts with what is left to explain; one is picked to see its lines alone. */
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
                {text.lines(account.lines)} · {text.left(openOf(account))}
              </span>
              <span className="fineprint">{balanceOf(account)}</span>
            </AriaButton>
          </li>
        );
      })}
    </ul>
  );
}

function openOf({ states }: BankAccount): number {
  return ['open', 'ambiguous', 'suggested', 'part'].reduce((sum, state) => sum + (states[state] ?? 0), 0);
}

function balanceOf({ balance }: BankAccount): string {
  return balance === null
    ? text.noBalance
    : text.balanceOn(moneyText(balance.amount_in_cents, balance.currency), dateText(balance.on));
}
