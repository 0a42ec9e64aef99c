import { Search } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { BankLine, Payment, Site } from '../../../contract/index.ts';
import { useAction, useClient } from '../../backend/hooks.ts';
import { Button } from '../../controls/button.tsx';
import { Field } from '../../controls/field.tsx';
import { Money } from '../../controls/values.tsx';
import { ErrorNote } from '../../errors/error-note.tsx';
import { openDialog, useView } from '../../view/view.ts';
import { amountText } from '../../words/money.ts';
import { words } from '../../words/words.ts';
import { notifyMade } from '../decide.ts';
import { filterHand, useHandFilters } from './filters.ts';

const text = words.matching.hand;

interface HandBalanceProps {
  readonly site: Site;
  readonly lines: readonly BankLine[];
  readonly payments: readonly Payment[];
  readonly onClear: () => void;
}

const openSum = (rows: readonly (BankLine | Payment)[]) =>
  rows.reduce((sum, row) => sum + row.amount_in_cents - row.claimed_in_cents, 0);

/** The running difference of what is picked, and what can be done with it. */
export function HandBalance({ site, lines, payments, onClear }: HandBalanceProps) {
  const client = useClient();
  const [category, setCategory] = useState('');
  const [reason, setReason] = useState('');
  const bank = openSum(lines);
  const statements = openSum(payments);
  const difference = bank - statements;
  const currencies = new Set([...lines, ...payments].map(({ currency }) => currency));
  const [currency = site.currency] = currencies;
  const making = useAction(() =>
    client.match.make({
      site: site.site,
      lines: lines.map(({ id }) => ({ id })),
      transactions: payments.map(({ id }) => ({ id })),
      adjustments:
        difference === 0
          ? []
          : [{ category: category.trim(), amount_in_cents: difference, reason: reason.trim() }],
    }),
  );
  const nothing = lines.length === 0 && payments.length === 0;
  const both = lines.length > 0 && payments.length > 0;
  const hindrance = !both
    ? text.nothing
    : currencies.size > 1
      ? text.currencies
      : difference !== 0 && (category.trim() === '' || reason.trim() === '')
        ? text.differs
        : null;
  const done = () => {
    setCategory('');
    setReason('');
    onClear();
  };
  const make = async () => {
    if (hindrance !== null) return;
    const group = await making.run();
    if (!group) return;
    done();
    notifyMade(client, site.site, [group]);
  };
  useCtrlEnter(() => void make());
  return (
    <footer className="match-hand-balance">
      <div className="match-hand-figures" aria-live="polite">
        {nothing ? (
          <span className="fineprint">{text.pick}</span>
        ) : (
          <>
            <span>{text.picked(lines.length, payments.length)}</span>
            <span>
              {text.bank} <Money cents={bank} currency={currency} />
            </span>
            <span>
              {text.statements} <Money cents={statements} currency={currency} />
            </span>
            <b>
              {text.difference} <Money cents={difference} currency={currency} />
            </b>
            <Button size="small" kind="quiet" onPress={onClear}>
              {text.clear}
            </Button>
          </>
        )}
      </div>
      <Finding
        lines={lines.length > 0}
        payments={payments.length > 0}
        difference={currencies.size > 1 ? 0 : difference}
      />
      {both && difference !== 0 && (
        <form
          className="match-hand-difference"
          onSubmit={(event) => {
            event.preventDefault();
            void make();
          }}
        >
          <Field
            label={text.makeAs}
            value={category}
            onChange={setCategory}
            maxLength={40}
            placeholder={words.matching.divide.categoryExample}
          />
          <Field label={words.reason.label} value={reason} onChange={setReason} maxLength={2000} />
          <button type="submit" hidden />
        </form>
      )}
      <span className="match-hand-actions">
        <Button
          reason={nothing ? text.nothing : null}
          onPress={() =>
            openDialog({
              kind: 'writeOff',
              lines: lines.map(({ id }) => id),
              transactions: payments.map(({ id }) => id),
            })
          }
        >
          {text.writeOff}
        </Button>
        <Button
          reason={!both ? text.nothing : currencies.size > 1 ? text.currencies : null}
          onPress={() => openDialog({ kind: 'divide', group: null, lines, payments, onDone: done })}
        >
          {words.matching.divide.open}
        </Button>
        <Button
          kind="primary"
          label={text.make}
          keys={['Mod+Enter']}
          pending={making.running}
          reason={hindrance}
          onPress={() => void make()}
        >
          {text.make}
        </Button>
      </span>
      {making.error && <ErrorNote error={making.error} />}
    </footer>
  );
}

interface FindingProps {
  readonly lines: boolean;
  readonly payments: boolean;
  readonly difference: number;
}

/** What would close the difference, looked for on the side that has too little. */
function Finding({ lines, payments, difference }: FindingProps) {
  const filters = useHandFilters();
  if (difference === 0 || (!lines && !payments)) return null;
  const side = !payments || (lines && difference > 0) ? 'payments' : 'lines';
  const cents = Math.abs(difference);
  const find = () =>
    filterHand(side, { ...filters[side], search: undefined, least_in_cents: cents, most_in_cents: cents });
  return (
    <Button size="small" kind="quiet" icon={Search} onPress={find}>
      {side === 'payments' ? text.findPayment(amountText(cents)) : text.findLine(amountText(cents))}
    </Button>
  );
}

/** Ctrl+Enter, wherever the focus is on the screen. */
function useCtrlEnter(act: () => void): void {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      if (event.defaultPrevented || useView.getState().dialog !== null) return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}
