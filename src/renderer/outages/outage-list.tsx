import { CircleCheckBig } from 'lucide-react';
import type { Outage, Outputs } from '../../contract/index.ts';
import { Button } from '../controls/button.tsx';
import { Empty } from '../controls/pieces.tsx';
import { Absent, Moment } from '../controls/values.tsx';
import type { Column } from '../grid/columns.ts';
import type { Grid } from '../grid/controller.ts';
import { GridView } from '../grid/grid-view.tsx';
import { useFollow } from '../grid/use-follow.ts';
import { useWholeList, type Whole } from '../grid/use-whole-list.ts';
import { countColumn, textColumn } from '../grid/value-columns.tsx';
import { go, useView } from '../view/view.ts';
import { countText, durationText } from '../words/numbers.ts';
import { errorName } from '../words/webhooks.ts';
import { words } from '../words/words.ts';
import { OutageKind } from './outage-kind.tsx';
import { missed, stretchOf } from './stretch.ts';

const text = words.outages;
const titles = text.columns;

const columns: readonly Column<Outage>[] = [
  {
    id: 'kind',
    title: titles.kind,
    width: 132,
    cell: ({ kind }) => <OutageKind kind={kind} />,
    copy: ({ kind }) => ({ text: text.kinds[kind] }),
  },
  {
    id: 'from',
    title: titles.from,
    width: 158,
    cell: (row) => <Moment at={row.from} />,
    copy: (row) => ({ text: row.from }),
  },
  {
    id: 'to',
    title: titles.to,
    width: 154,
    hidden: true,
    cell: (row) => <Moment at={row.to} />,
    copy: (row) => ({ text: row.to }),
  },
  {
    id: 'lasted',
    title: titles.lasted,
    width: 98,
    cell: (row) => <span className="grid-quiet">{row.ongoing ? text.ongoing : lasted(row)}</span>,
    copy: (row) => ({ text: lasted(row) }),
  },
  {
    id: 'missed',
    title: titles.missed,
    width: 106,
    end: true,
    cell: (row) =>
      row.kind === 'hole' ? <Absent /> : <span className="grid-strong">{countText(missed(row))}</span>,
    copy: (row) => ({ exact: String(missed(row)) }),
  },
  countColumn({ id: 'accepted', title: titles.accepted, width: 88, hidden: true }, (row) => row.accepted),
  {
    id: 'error',
    title: titles.error,
    width: 130,
    grows: true,
    cell: (row) => (row.error === null ? <Absent /> : <span title={row.error}>{errorName(row.error)}</span>),
    copy: (row) => ({ text: row.error ?? '' }),
  },
  textColumn({ id: 'url', title: titles.url, width: 200, hidden: true }, (row) => row.url),
];

function lasted(outage: Outage): string {
  const { from, to } = stretchOf(outage);
  return durationText(to - from);
}

const idOf = (row: Outage) => row.id;

type Found = Outputs['webhooks']['outages'];
const rowsOf = ({ outages }: Found) => outages;
const isAll = ({ more }: Found) => more === 0;

/** How many are listed at first, and at most. */
export const LISTED = { first: 100, most: 500 };

/** How far the list goes. */
export interface Listing {
  /** How many are asked for. */
  readonly most: number;
  /** How many there are beyond those. */
  readonly more: number;
  readonly onMore: () => void;
}

type OutageGrid = Grid<Outage, Whole<Outage, Found>>;

/** The outages the log shows, the newest first, at most so many: for the list, and for the timeline that marks the same. */
export function useOutages(site: string, most: number): OutageGrid {
  return useWholeList({
    name: 'outages',
    list: 'webhooks.outages',
    selection: { site },
    most,
    rowsOf,
    isAll,
    idOf,
  });
}

interface OutageListProps extends Listing {
  readonly grid: OutageGrid;
  /** Enter, or a click. */
  readonly onOpen: (outage: Outage) => void;
}

/** The outages, the newest first. Moving through them shows each on the timeline. */
export function OutageList({ grid, most, more, onMore, onOpen }: OutageListProps) {
  const item = useView((view) => view.route.item);
  useFollow(grid, true, idOf, { atOnce: true });
  return (
    <>
      <GridView
        name="outages"
        label={text.grid}
        grid={grid}
        columns={columns}
        pickable={false}
        onOpen={onOpen}
        onEscape={() => item !== null && go({ item: null }, true)}
        empty={
          <Empty icon={CircleCheckBig} title={text.noneTitle}>
            {text.none}
          </Empty>
        }
      />
      {more > 0 && (
        <div className="statusbar" role="status">
          <span>{text.more(more)}</span>
          {most < LISTED.most ? (
            <Button kind="quiet" size="small" onPress={onMore}>
              {text.listMore}
            </Button>
          ) : (
            <span>{text.drawIt}</span>
          )}
        </div>
      )}
    </>
  );
}
