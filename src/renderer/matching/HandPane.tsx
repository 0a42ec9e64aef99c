import { Landmark, SearchX } from 'lucide-react';
import { useState } from 'react';
import type { BankLine, Payment, Site } from '../../contract/index.ts';
import { useAction, useClient } from '../backend/hooks.ts';
import { Button } from '../controls/Button.tsx';
import { Field } from '../controls/Field.tsx';
import { Empty } from '../controls/Pieces.tsx';
import { Money } from '../controls/Values.tsx';
import { ErrorNote } from '../errors/ErrorNote.tsx';
import type { Grid, Page } from '../grid/controller.ts';
import { GridView } from '../grid/GridView.tsx';
import { useList } from '../grid/useList.ts';
import { notify, openDialog } from '../view/view.ts';
import { words } from '../words/words.ts';
import { handLineColumns, handPaymentColumns } from './handColumns.tsx';
import { usePicked } from './usePicked.ts';

const text = words.matching.hand;
const lineId = (row: BankLine) => row.id;
const paymentId = (row: Payment) => row.id;
/** What still waits for an explanation. */
const OPEN = ['open', 'ambiguous', 'suggested', 'part'] as const;

function openWith(typed: string) {
  const search = typed.trim();
  return { state: [...OPEN], ...(search === '' ? {} : { search }) };
}

/** Both sides' open items, to be put together by a person: what is picked on each side, and what it comes to. */
export function HandPane({ site }: { readonly site: Site }) {
  const [lineSearch, setLineSearch] = useState('');
  const [paymentSearch, setPaymentSearch] = useState('');
  const lines = useList({
    name: 'handLines',
    list: 'bank.lines',
    marks: 'bank.lineMarks',
    selection: { site: site.site, filter: openWith(lineSearch) },
    idOf: lineId,
  });
  const payments = useList({
    name: 'handPayments',
    list: 'match.payments',
    marks: 'match.paymentMarks',
    selection: { site: site.site, filter: openWith(paymentSearch) },
    idOf: paymentId,
  });
  const pickedLines = usePicked(lines);
  const pickedPayments = usePicked(payments);
  const clear = () => {
    lines.clearSelection();
    payments.clearSelection();
  };
  return (
    <>
      <div className="match-hand">
        <section aria-label={text.lines}>
          <h2>{text.lines}</h2>
          <Field label={text.searchLines} value={lineSearch} onChange={setLineSearch} />
          <GridView
            name="handLines"
            label={text.lines}
            grid={lines}
            columns={handLineColumns}
            onOpen={() => pickActive(lines)}
            empty={
              <Empty icon={Landmark} title={text.noLines}>
                {words.bank.noneText}
              </Empty>
            }
          />
        </section>
        <section aria-label={text.payments}>
          <h2>{text.payments}</h2>
          <Field label={text.searchPayments} value={paymentSearch} onChange={setPaymentSearch} />
          <GridView
            name="handPayments"
            label={text.payments}
            grid={payments}
            columns={handPaymentColumns}
            onOpen={() => pickActive(payments)}
            empty={
              <Empty icon={SearchX} title={text.noPayments}>
                {words.bank.noneText}
              </Empty>
            }
          />
        </section>
      </div>
      <Balance site={site} lines={pickedLines} payments={pickedPayments} onDone={clear} />
    </>
  );
}

/** A click or Enter takes a row in or out. */
function pickActive<Row, P extends Page<Row>>(grid: Grid<Row, P>): void {
  grid.toggle(grid.state.getState().active);
}

interface BalanceProps {
  readonly site: Site;
  readonly lines: readonly BankLine[];
  readonly payments: readonly Payment[];
  readonly onDone: () => void;
}

/** The running difference of what is picked, and what can be done with it. */
function Balance({ site, lines, payments, onDone }: BalanceProps) {
  const client = useClient();
  const [category, setCategory] = useState('');
  const [reason, setReason] = useState('');
  const bank = lines.reduce((sum, line) => sum + line.amount_in_cents - line.claimed_in_cents, 0);
  const statements = payments.reduce((sum, each) => sum + each.amount_in_cents - each.claimed_in_cents, 0);
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
  const hindrance =
    lines.length === 0 || payments.length === 0
      ? text.nothing
      : currencies.size > 1
        ? text.currencies
        : difference !== 0 && (category.trim() === '' || reason.trim() === '')
          ? text.differs
          : null;
  const make = async () => {
    if (hindrance !== null) return;
    const group = await making.run();
    if (!group) return;
    setCategory('');
    setReason('');
    onDone();
    notify(text.made, 'good', async () => {
      await client.match.undo({ site: site.site, ids: [group.id], reason: words.matching.noteUndo });
      notify(words.matching.undone(1), 'good');
    });
  };
  return (
    <footer className="match-hand-balance" aria-live="polite">
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
        </>
      )}
      {lines.length > 0 && payments.length > 0 && difference !== 0 && (
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
            placeholder="fee"
          />
          <Field label={text.reason} value={reason} onChange={setReason} maxLength={2000} />
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
        <Button kind="primary" pending={making.running} reason={hindrance} onPress={() => void make()}>
          {text.make}
        </Button>
      </span>
      {making.error && <ErrorNote error={making.error} />}
    </footer>
  );
}
