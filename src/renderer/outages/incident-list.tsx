import { CircleCheck, CircleCheckBig, CircleDot, UserRound } from 'lucide-react';
import type { Incident, IncidentState, Site } from '../../contract/index.ts';
import { EmptyState } from '../controls/empty-state.tsx';
import { MissingValue } from '../controls/formatted-values.tsx';
import { createStatusBadge } from '../controls/status-label.tsx';
import type { GridColumn } from '../grid/columns/column-layout.ts';
import { createColumnFactories } from '../grid/columns/value-columns.tsx';
import { useCompleteList } from '../grid/lists/use-complete-list.ts';
import { StatusBar } from '../grid/summary/status-bar.tsx';
import { GridView } from '../grid/view/grid-view.tsx';
import { openDialog } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';

const text = texts.incidents;
const column = createColumnFactories(text.columns);

export const IncidentStateBadge = createStatusBadge<IncidentState>(
  { open: ['bad', CircleDot], acknowledged: ['warn', UserRound], resolved: ['good', CircleCheck] },
  text.states,
);

const columns: readonly GridColumn<Incident>[] = [
  column.badge('state', 132, 'state', IncidentStateBadge),
  {
    ...column.head('name', 150),
    fillsSpace: true,
    cell: ({ name }) => (
      <span className="grid-strong" title={name}>
        {name}
      </span>
    ),
    copy: ({ name }) => ({ text: name }),
  },
  column.dateTime('from', 158, 'from', { isPlain: true }),
  {
    ...column.head('accepted', 106),
    alignEnd: true,
    cell: ({ accepted, webhooks }) =>
      webhooks === 0 ? <MissingValue /> : <span>{text.acceptedOf(accepted, webhooks)}</span>,
    copy: ({ accepted, webhooks }) => ({ text: text.acceptedOf(accepted, webhooks) }),
  },
  column.text('owner', 110, 'owner'),
];

const rowsOf = (incidents: readonly Incident[]) => incidents;
const idOf = (row: Incident) => row.id;

/** Lists the incidents, unresolved ones first. Enter opens one. */
export function IncidentList({ site }: { readonly site: Site }) {
  const grid = useCompleteList({
    name: 'incidents',
    procedure: 'incidents.list',
    query: { site: site.site },
    rowsOf,
    idOf,
  });
  return (
    <>
      <GridView
        name="incidents"
        label={text.title}
        grid={grid}
        columns={columns}
        isSelectable={false}
        onOpen={({ id }) => openDialog({ kind: 'incident', id })}
        empty={<EmptyState icon={CircleCheckBig} title={text.noneTitle} text={text.none} />}
      />
      <StatusBar grid={grid} singular="incident" />
    </>
  );
}
