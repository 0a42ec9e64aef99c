import { Landmark, SearchX } from 'lucide-react';
import { useMemo } from 'react';
import type { BankAccount, BankLine, Payment, Site } from '../../../contract/index.ts';
import { useQuery } from '../../backend/hooks.ts';
import { Empty } from '../../controls/pieces.tsx';
import type { FilterField } from '../../filters/fields.ts';
import { FilterPill, SearchBox } from '../../filters/filter-bar.tsx';
import { GridView } from '../../grid/grid-view.tsx';
import { useList } from '../../grid/use-list.ts';
import { usePicked } from '../../grid/use-picked.ts';
import { openPlace, placeOf } from '../../view/place.ts';
import { words } from '../../words/words.ts';
import { handLineColumns, handPaymentColumns } from './columns.tsx';
import { handLineFields, handPaymentFields } from './fields.ts';
import { filterHand, type HandFilters, openWith, useHandFilters } from './filters.ts';
import { HandBalance } from './hand-balance.tsx';
import './hand.css';

const text = words.matching.hand;
const noAccounts: readonly BankAccount[] = [];
const lineId = (row: BankLine) => row.id;
const paymentId = (row: Payment) => row.id;

/** Both sides' open items, to be put together by a person: what is picked on each side, and what it comes to. */
export function HandPane({ site }: { readonly site: Site }) {
  const filters = useHandFilters();
  const { data: accounts = noAccounts } = useQuery('bank.accounts', { site: site.site });
  const lineFields = useMemo(() => handLineFields(accounts), [accounts]);
  const lines = useList({
    name: 'handLines',
    list: 'bank.lines',
    marks: 'bank.lineMarks',
    selection: { site: site.site, filter: openWith(filters.lines) },
    idOf: lineId,
    gathers: true,
  });
  const payments = useList({
    name: 'handPayments',
    list: 'match.payments',
    marks: 'match.paymentMarks',
    selection: { site: site.site, filter: openWith(filters.payments) },
    idOf: paymentId,
    gathers: true,
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
          <SideFilter side="lines" label={text.searchLines} fields={lineFields} />
          <GridView
            name="handLines"
            label={text.lines}
            grid={lines}
            columns={handLineColumns}
            clickPicks
            menu={(row) => [
              { id: 'open', label: text.openLine, run: () => openPlace(placeOf.bankLine(row.id)) },
            ]}
            empty={
              <Empty icon={Landmark} title={text.noLines}>
                {words.bank.noneText}
              </Empty>
            }
          />
        </section>
        <section aria-label={text.payments}>
          <h2>{text.payments}</h2>
          <SideFilter side="payments" label={text.searchPayments} fields={handPaymentFields} />
          <GridView
            name="handPayments"
            label={text.payments}
            grid={payments}
            columns={handPaymentColumns}
            clickPicks
            menu={(row) => [
              {
                id: 'open',
                label: text.openStatement,
                run: () => openPlace(placeOf.statement(row.statement_id)),
              },
            ]}
            empty={
              <Empty icon={SearchX} title={text.noPayments}>
                {text.noPaymentsText}
              </Empty>
            }
          />
        </section>
      </div>
      <HandBalance site={site} lines={pickedLines} payments={pickedPayments} onClear={clear} />
    </>
  );
}

interface SideFilterProps<S extends keyof HandFilters> {
  readonly side: S;
  readonly label: string;
  readonly fields: readonly FilterField<HandFilters[S]>[];
}

function SideFilter<S extends keyof HandFilters>({ side, label, fields }: SideFilterProps<S>) {
  const filter = useHandFilters((filters) => filters[side]);
  return (
    <div className="match-hand-filter" role="toolbar" aria-label={label}>
      <SearchBox
        label={label}
        keyed={side === 'lines'}
        text={filter.search ?? ''}
        onChange={(typed) => filterHand(side, { ...filter, search: typed.trim() === '' ? undefined : typed })}
      />
      {fields.map((field) => (
        <FilterPill
          key={field.id}
          field={field}
          filter={filter}
          onChange={(changed) => filterHand(side, changed)}
        />
      ))}
    </div>
  );
}
