import { CircleCheckBig, SearchX, ShieldAlert } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Inputs, OpenItem, PeriodDetail, Site } from '../../contract/index.ts';
import { useQuery } from '../backend/hooks.ts';
import { CommandButton } from '../commands/use-commands.tsx';
import { Choice, Segments } from '../controls/field.tsx';
import { Empty } from '../controls/pieces.tsx';
import { ColumnChooser } from '../grid/column-chooser.tsx';
import { GridView } from '../grid/grid-view.tsx';
import { StatusBar } from '../grid/status-bar.tsx';
import type { Figure } from '../grid/sums.ts';
import { SumsText } from '../grid/sums-text.tsx';
import { useList } from '../grid/use-list.ts';
import { openDialog } from '../view/view.ts';
import { words } from '../words/words.ts';
import { CarriedGrid } from './carried-grid.tsx';
import { itemColumns } from './item-columns.tsx';
import { openItem } from './open-item.ts';
import { openPeriod } from './place.ts';

type ItemFilter = NonNullable<Inputs['workpapers']['items']['filter']>;

const text = words.periods.items;
const idOf = (row: OpenItem) => row.key;
const ANY = 'any';
const figures: readonly Figure<OpenItem>[] = [
  { cents: (row) => row.amount_in_cents, currency: (row) => row.currency },
];

type Shown = 'all' | 'open' | 'explained' | 'carried';

/** What is outstanding as at the last day, aged; or what was brought into the period, and what became of it. */
export function ItemsPart({ site, detail }: { readonly site: Site; readonly detail: PeriodDetail }) {
  const [shown, setShown] = useState<Shown>('all');
  const choice = (
    <Segments
      label={text.show}
      labelUnseen
      value={shown}
      onChange={setShown}
      options={[
        { value: 'all', label: text.showAll },
        { value: 'open', label: text.showOpen },
        { value: 'explained', label: text.showExplained },
        { value: 'carried', label: text.showCarried },
      ]}
    />
  );
  if (shown === 'carried') {
    return (
      <>
        <div className="period-tools">{choice}</div>
        <CarriedGrid site={site.site} period={detail.period} />
      </>
    );
  }
  return <Outstanding site={site.site} detail={detail} shown={shown} choice={choice} />;
}

interface OutstandingProps {
  readonly site: string;
  readonly detail: PeriodDetail;
  readonly shown: Exclude<Shown, 'carried'>;
  readonly choice: ReactNode;
}

/** The items outstanding as at the last day, each with what is said of it. */
function Outstanding({ site, detail, shown, choice }: OutstandingProps) {
  const { period } = detail;
  const [bucket, setBucket] = useState(ANY);
  const { data: workpaper } = useQuery('workpapers.get', { site, period });
  const ageing = workpaper?.sections[0]?.ageing ?? [];
  const filter: ItemFilter = {
    ...(shown === 'all' ? {} : { explained: shown === 'explained' }),
    ...(bucket === ANY ? {} : { bucket: Number(bucket) }),
  };
  const grid = useList({
    name: 'periods',
    list: 'workpapers.items',
    selection: { site, period, filter },
    idOf,
  });
  const sums = useStore(grid.state, (state) => state.first?.sums ?? null);
  const sections = workpaper?.sections ?? [];
  const currency = sections.length === 1 ? (sections[0]?.currency ?? null) : null;
  const columns = useMemo(() => itemColumns(currency), [currency]);
  const nothing = shown === 'all' && bucket === ANY;
  const damaged = detail.remarks.some(({ what }) => what === 'damaged');
  const empty =
    nothing && damaged
      ? { icon: ShieldAlert, title: text.damagedTitle, text: text.damagedText }
      : nothing
        ? { icon: CircleCheckBig, title: text.emptyTitle, text: text.emptyText }
        : { icon: SearchX, title: text.noneTitle, text: text.noneText };
  return (
    <>
      <div className="period-tools">
        {choice}
        <Choice
          label={words.periods.ageColumns.age}
          labelUnseen
          value={bucket}
          onChange={setBucket}
          options={[
            { value: ANY, label: words.periods.ageColumns.age },
            ...ageing.map(({ from_days, to_days }, at) => ({
              value: String(at),
              label: words.periods.age(from_days, to_days),
            })),
          ]}
        />
        <span className="push" />
        <ColumnChooser name="period-items" columns={columns} />
        <CommandButton id="periods.explain" kind="primary" />
      </div>
      <GridView
        name="period-items"
        label={text.grid}
        grid={grid}
        columns={columns}
        onOpen={(row) => {
          if (detail.state === 'closed') openItem(row);
          else openDialog({ kind: 'explainItems', period, items: [row] });
        }}
        onEscape={() => openPeriod(period)}
        menu={(row) => [{ id: 'open', label: text.open, run: () => openItem(row) }]}
        empty={
          <Empty icon={empty.icon} title={empty.title}>
            {empty.text}
          </Empty>
        }
      />
      <StatusBar grid={grid} one={text.one} figures={figures}>
        {sums && <SumsText sums={sums} />}
      </StatusBar>
    </>
  );
}
