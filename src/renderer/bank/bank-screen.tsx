import { Landmark, SearchX } from 'lucide-react';
import { useMemo } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { useStore } from 'zustand';
import type { BankAccount, BankLine, BankLineFilter, Site } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import type { MenuEntry } from '../controls/menu.tsx';
import type { SummableAmount } from '../grid/summary/currency-sums.ts';
import { ListEmptyState, ListScreen } from '../list-screen/list-screen.tsx';
import { useScreenList } from '../list-screen/use-screen-list.ts';
import { setListFilter, useWindowState } from '../navigation/window-state.ts';
import { formatDate } from '../texts/date-times.ts';
import { formatMoney } from '../texts/money.ts';
import { texts } from '../texts/texts.ts';
import { bankLineColumns } from './bank-line-columns.tsx';
import { BankLineDetailPane } from './bank-line-detail.tsx';
import { parseBankRoute } from './bank-route.ts';
import { BankStatementList } from './bank-statements.tsx';
import { createBankLineFilterFields } from './filter-fields.ts';
import { BankImportDetail, BankImportList } from './import-detail.tsx';
import { ReceivedAndPaidSums } from './status-badges.tsx';
import './bank.css';

const text = texts.bank;
const sortKeys = ['booked_on', 'amount_in_cents'] as const;
const none: readonly BankAccount[] = [];
const figures: readonly SummableAmount<BankLine>[] = [
  { cents: (row) => row.amount_in_cents, currency: (row) => row.currency },
];
const idOf = (row: BankLine) => row.id;

/** Screen that lists the bank lines of all accounts. */
export function BankScreen({ site }: { readonly site: Site }) {
  const filter = useWindowState((state) => state.filters.bank);
  const item = useWindowState((state) => state.route.item);
  const { data: storedAccounts, loading } = useQuery('bank.accounts', { site: site.site });
  const accounts = storedAccounts ?? none;
  const fields = useMemo(() => createBankLineFilterFields(accounts), [accounts]);
  const route = parseBankRoute(item);
  const list = useScreenList({
    screen: 'bank',
    site: site.site,
    procedure: 'bank.lines',
    marksProcedure: 'bank.lineMarks',
    sortKeys,
    idOf,
    isDetailOpen: route?.kind === 'line',
  });
  const { grid } = list;
  const sums = useStore(grid.state, (state) => state.firstPage?.sums ?? null);
  return (
    <ListScreen
      screen="bank"
      title={text.title}
      actions={
        <>
          <CommandButton id="bank.statements" kind="quiet" />
          <CommandButton id="bank.imports" kind="quiet" />
          <CommandButton id="bank.import" kind="primary" />
        </>
      }
      header={
        // The bar is reserved while the accounts load, so that the list does not move afterwards.
        (loading || accounts.length > 0) && <BankAccountBar accounts={accounts} filter={filter} />
      }
      list={list}
      searchLabel={text.search}
      fields={fields}
      label={text.grid}
      columns={bankLineColumns}
      menu={(row) => filterMenu(filter, row)}
      empty={
        <ListEmptyState
          screen="bank"
          icon={Object.keys(filter).length > 0 ? SearchX : Landmark}
          text={text}
          action={<CommandButton id="bank.import" kind="primary" />}
        />
      }
      singular="line"
      figures={figures}
      statusBar={<ReceivedAndPaidSums sums={sums} />}
      detail={
        route?.kind === 'line' ? (
          <BankLineDetailPane site={site} id={route.id} />
        ) : route?.kind === 'import' ? (
          <BankImportDetail site={site} id={route.id} />
        ) : route?.kind === 'imports' ? (
          <BankImportList site={site} />
        ) : route?.kind === 'statements' ? (
          <BankStatementList site={site} />
        ) : null
      }
      detailWidth={460}
    />
  );
}

function filterMenu(filter: BankLineFilter, row: BankLine): MenuEntry[] {
  const narrow = (change: Partial<BankLineFilter>) => () => setListFilter('bank', { ...filter, ...change });
  const { payout_id } = row;
  return [
    {
      id: 'account',
      label: texts.grid.onlyThis(text.columns.account, row.account.name),
      run: narrow({ account: [row.account.id] }),
    },
    {
      id: 'import',
      label: texts.grid.onlyThis(text.filters.import, row.file),
      run: narrow({ import: row.import }),
    },
    ...(payout_id === null
      ? []
      : [
          {
            id: 'payout',
            label: texts.grid.onlyThis(text.columns.payout, payout_id),
            run: narrow({ payout_id }),
          },
        ]),
  ];
}

interface AccountStripProps {
  readonly accounts: readonly BankAccount[];
  readonly filter: BankLineFilter;
}

/** Shows the accounts with their unmatched lines. Clicking an account filters the list by that account. */
export function BankAccountBar({ accounts, filter }: AccountStripProps) {
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
              onPress={() => setListFilter('bank', { ...filter, account: only ? undefined : [account.id] })}
            >
              <b>{account.name}</b>
              <span className="fineprint">{text.accountKinds[account.kind]}</span>
              <span>
                {text.lineCount(account.lines)} ·{' '}
                {text.unmatchedCount(account.unmatched.reduce((sum, { count }) => sum + count, 0))}
              </span>
              {account.unmatched.length > 0 && (
                <span className="bank-account-sums">
                  <ReceivedAndPaidSums sums={account.unmatched} />
                </span>
              )}
              <span className="fineprint">{formatBalance(account)}</span>
            </AriaButton>
          </li>
        );
      })}
    </ul>
  );
}

function formatBalance({ balance }: BankAccount): string {
  return balance === null
    ? text.noBalance
    : text.balanceOn(formatMoney(balance.amount_in_cents, balance.currency), formatDate(balance.on));
}
