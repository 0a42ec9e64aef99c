import type { StatementEvent } from '../../contract/index.ts';
import { SortableTable, type TableColumn } from '../grid/sortable-table/sortable-table.tsx';
import { parseDateTime } from '../texts/date-times.ts';
import { texts } from '../texts/texts.ts';
import { createTimeColumn } from './table-columns.tsx';

const text = texts.statements;
const titles = text.eventColumns;

const columns: readonly TableColumn<StatementEvent>[] = [
  {
    ...createTimeColumn<StatementEvent>(titles.at, (event) => event.created_at),
    sortValue: (event) => parseDateTime(event.created_at ?? ''),
  },
  {
    id: 'event',
    title: titles.event,
    className: 'sortable-table-type',
    sortValue: (event) => event.key,
    cell: (event) => event.key,
    copy: (event) => ({ text: event.key }),
  },
  {
    id: 'message',
    title: titles.message,
    cell: (event) => event.message,
    copy: (event) => ({ text: event.message ?? '' }),
  },
];

/** Lists the events of a statement in the service's own words. */
export function StatementEvents({ events }: { readonly events: readonly StatementEvent[] }) {
  if (events.length === 0) return <p className="tab-note">{text.noEvents}</p>;
  return (
    <div className="tab-scroll">
      <SortableTable label={text.tabs.events} columns={columns} rows={events} idOf={(event) => event.id} />
    </div>
  );
}
