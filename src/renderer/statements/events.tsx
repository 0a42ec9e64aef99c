import type { StatementEvent } from '../../contract/index.ts';
import { Moment } from '../controls/values.tsx';
import { Ledger, type LedgerColumn } from '../grid/ledger.tsx';
import { instantOf } from '../words/moments.ts';
import { words } from '../words/words.ts';

const text = words.statements;
const titles = text.eventColumns;

const columns: readonly LedgerColumn<StatementEvent>[] = [
  {
    id: 'at',
    title: titles.at,
    className: 'ledger-at',
    by: (event) => instantOf(event.created_at ?? ''),
    cell: (event) => <Moment at={event.created_at} />,
    copy: (event) => ({ text: event.created_at ?? '' }),
  },
  {
    id: 'event',
    title: titles.event,
    className: 'ledger-type',
    by: (event) => event.key,
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

/** What the service did meanwhile, in its own words. */
export function Events({ events }: { readonly events: readonly StatementEvent[] }) {
  if (events.length === 0) return <p className="tab-note">{text.noEvents}</p>;
  return (
    <div className="tab-scroll">
      <Ledger label={text.tabs.events} columns={columns} rows={events} idOf={(event) => event.id} />
    </div>
  );
}
