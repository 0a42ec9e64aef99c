import { Landmark, SearchX } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import type { BankAccount, BankLine, Payment, Site } from '../../../contract/index.ts';
import { useQuery } from '../../backend-client/backend-hooks.ts';
import { EmptyState } from '../../controls/empty-state.tsx';
import { FilterPill, SearchBox } from '../../filters/filter-bar.tsx';
import { describeFilter, type FilterField } from '../../filters/filter-field.ts';
import { GridExportMenu } from '../../grid/export/list-export-menu.tsx';
import { usePagedList } from '../../grid/lists/use-paged-list.ts';
import { useSelectedRows } from '../../grid/summary/use-selected-rows.ts';
import { GridView } from '../../grid/view/grid-view.tsx';
import type { ListFilters } from '../../navigation/list-filters.ts';
import { openRecordLocation, recordLocations } from '../../navigation/record-location.ts';
import { setListFilter, useWindowState } from '../../navigation/window-state.ts';
import { texts } from '../../texts/texts.ts';
import { ManualMatchFooter } from './manual-match-footer.tsx';
import {
  getUnmatchedLineFilterFields,
  limitFilterToUnmatchedItems,
  unmatchedPaymentFilterFields,
} from './unmatched-filters.ts';
import { unmatchedLineColumns, unmatchedPaymentColumns } from './unmatched-item-columns.tsx';
import './manual.css';

const text = texts.matching.manual;
const noAccounts: readonly BankAccount[] = [];
const lineId = (row: BankLine) => row.id;
const paymentId = (row: Payment) => row.id;

/** Shows unmatched bank lines and payments side by side, so that users can match them manually. */
export function ManualMatchingPane({ site }: { readonly site: Site }) {
  const { manualLines, manualPayments } = useWindowState((state) => state.filters);
  const { data: accounts = noAccounts } = useQuery('bank.accounts', { site: site.site });
  const lineFields = useMemo(() => getUnmatchedLineFilterFields(accounts), [accounts]);
  const selectableQuery = useCallback(
    (ids: number[]) => ({ site: site.site, filter: limitFilterToUnmatchedItems({ ids }) }),
    [site.site],
  );
  const lines = usePagedList({
    name: 'manualLines',
    procedure: 'bank.lines',
    marksProcedure: 'bank.lineMarks',
    query: { site: site.site, filter: limitFilterToUnmatchedItems(manualLines) },
    idOf: lineId,
    selectableQuery,
  });
  const payments = usePagedList({
    name: 'manualPayments',
    procedure: 'match.payments',
    marksProcedure: 'match.paymentMarks',
    query: { site: site.site, filter: limitFilterToUnmatchedItems(manualPayments) },
    idOf: paymentId,
    selectableQuery,
  });
  const pickedLines = useSelectedRows(lines);
  const pickedPayments = useSelectedRows(payments);
  const clear = () => {
    lines.clearSelection();
    payments.clearSelection();
  };
  return (
    <>
      <div className="match-manual">
        <section aria-label={text.lines}>
          <div className="match-manual-head">
            <h2>{text.lines}</h2>
            <GridExportMenu grid={lines} />
          </div>
          <SideFilter list="manualLines" label={text.searchLines} fields={lineFields} />
          <GridView
            name="manualLines"
            label={text.lines}
            grid={lines}
            columns={unmatchedLineColumns}
            clickToggles
            menu={(row) => [
              {
                id: 'open',
                label: text.openLine,
                run: () => openRecordLocation(recordLocations.bankLine(row.id)),
              },
            ]}
            empty={<EmptyState icon={Landmark} title={text.noLines} text={texts.bank.noneText} />}
            filters={describeFilter(lineFields, manualLines)}
          />
        </section>
        <section aria-label={text.payments}>
          <div className="match-manual-head">
            <h2>{text.payments}</h2>
            <GridExportMenu grid={payments} />
          </div>
          <SideFilter
            list="manualPayments"
            label={text.searchPayments}
            fields={unmatchedPaymentFilterFields}
          />
          <GridView
            name="manualPayments"
            label={text.payments}
            grid={payments}
            columns={unmatchedPaymentColumns}
            clickToggles
            menu={(row) => [
              {
                id: 'open',
                label: text.openStatement,
                run: () => openRecordLocation(recordLocations.statement(row.statement_id)),
              },
            ]}
            empty={<EmptyState icon={SearchX} title={text.noPayments} text={text.noPaymentsText} />}
            filters={describeFilter(unmatchedPaymentFilterFields, manualPayments)}
          />
        </section>
      </div>
      <ManualMatchFooter site={site} lines={pickedLines} payments={pickedPayments} onClear={clear} />
    </>
  );
}

interface SideFilterProps<L extends 'manualLines' | 'manualPayments'> {
  readonly list: L;
  readonly label: string;
  readonly fields: readonly FilterField<ListFilters[L]>[];
}

function SideFilter<L extends 'manualLines' | 'manualPayments'>({ list, label, fields }: SideFilterProps<L>) {
  const filter = useWindowState((state) => state.filters[list]);
  return (
    <div className="match-manual-filter" role="toolbar" aria-label={label}>
      <SearchBox
        label={label}
        showShortcut={list === 'manualLines'}
        text={filter.search ?? ''}
        onChange={(typed) =>
          setListFilter(list, { ...filter, search: typed.trim() === '' ? undefined : typed })
        }
      />
      {fields.map((field) => (
        <FilterPill
          key={field.id}
          field={field}
          filter={filter}
          onChange={(changed) => setListFilter(list, changed)}
        />
      ))}
    </div>
  );
}
