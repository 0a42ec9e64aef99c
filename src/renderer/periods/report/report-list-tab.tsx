import { Rows3 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import {
  type ReportTableName,
  type ReportTablePage,
  reportTableNames,
  type Site,
} from '../../../contract/index.ts';
import { EmptyState } from '../../controls/empty-state.tsx';
import { SelectField } from '../../controls/form-fields.tsx';
import type { GridColumn } from '../../grid/columns/column-layout.ts';
import { createIdColumn, createMoneyColumn, createTextColumn } from '../../grid/columns/value-columns.tsx';
import { usePagedList } from '../../grid/lists/use-paged-list.ts';
import { StatusBar } from '../../grid/summary/status-bar.tsx';
import { GridView } from '../../grid/view/grid-view.tsx';
import { openRecordLocation, recordLocations } from '../../navigation/record-location.ts';
import { texts } from '../../texts/texts.ts';
import { openPeriod } from '../shared/period-route.ts';

const text = texts.periods.lists;
type Row = ReportTablePage['rows'][number];
type Column = ReportTablePage['columns'][number];
const idOf = ({ row }: Row) => row;

/** Tab that shows a list of the period report, with the same columns and rows as in the report. */
export function ReportListTab({ site, period }: { readonly site: Site; readonly period: string }) {
  const [table, setTable] = useState<ReportTableName>('customers');
  const choice = (
    <div className="period-tools">
      <SelectField
        label={text.choose}
        labelUnseen
        value={table}
        onChange={setTable}
        options={reportTableNames.map((value) => ({ value, label: text.names[value] }))}
      />
    </div>
  );
  return (
    <>
      {choice}
      <ReportList key={table} site={site.site} period={period} table={table} />
    </>
  );
}

interface ReportListProps {
  readonly site: string;
  readonly period: string;
  readonly table: ReportTableName;
}

function ReportList({ site, period, table }: ReportListProps) {
  const grid = usePagedList({
    name: 'period-list',
    procedure: 'reports.table',
    query: { site, period, table },
    idOf,
  });
  const page = useStore(grid.state, (state) => state.firstPage);
  const columns = useMemo(() => (page?.columns ?? []).map(toGridColumn), [page?.columns]);
  const statement = page?.columns.findIndex(({ name }) => name === 'statement') ?? -1;
  return (
    <>
      <GridView
        name={`period-list-${table}`}
        label={text.names[table]}
        grid={grid}
        columns={columns}
        isSelectable={false}
        filters={[texts.periods.exportedPeriod(period)]}
        onOpen={({ cells }) => {
          const id = cells[statement];
          if (typeof id === 'number') openRecordLocation(recordLocations.statement(id));
        }}
        onEscape={() => openPeriod(period)}
        empty={<EmptyState icon={Rows3} title={text.noRows} text={page?.empty ?? ''} />}
      />
      <StatusBar grid={grid} singular={text.one} />
    </>
  );
}

function toGridColumn({ name, header, kind }: Column, at: number): GridColumn<Row> {
  const head = { id: name, title: header };
  const toNumber = ({ cells }: Row) => (typeof cells[at] === 'number' ? cells[at] : null);
  if (kind === 'cents') return createMoneyColumn({ ...head, width: 108 }, toNumber);
  if (kind === 'count') return createIdColumn({ ...head, width: 104, alignEnd: true }, toNumber);
  return createTextColumn({ ...head, width: 150 }, ({ cells }) =>
    cells[at] === null ? null : String(cells[at]),
  );
}
