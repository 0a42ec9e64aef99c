import { CircleCheckBig, SearchX, ShieldAlert } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { ContractInputs, OutstandingItem, PeriodDetail, Site } from '../../../contract/index.ts';
import { useQuery } from '../../backend-client/backend-hooks.ts';
import { CommandButton } from '../../commands/command-button.tsx';
import { EmptyState } from '../../controls/empty-state.tsx';
import { SegmentedControl, SelectField } from '../../controls/form-fields.tsx';
import { ColumnChooser } from '../../grid/columns/column-chooser.tsx';
import { usePagedList } from '../../grid/lists/use-paged-list.ts';
import type { SummableAmount } from '../../grid/summary/currency-sums.ts';
import { CurrencySums, StatusBar } from '../../grid/summary/status-bar.tsx';
import { GridView } from '../../grid/view/grid-view.tsx';
import { openDialog } from '../../navigation/window-state.ts';
import { texts } from '../../texts/texts.ts';
import { openOutstandingItem } from '../shared/open-records.ts';
import { openPeriod } from '../shared/period-route.ts';
import { BroughtForwardGrid } from './brought-forward-grid.tsx';
import { createOutstandingItemColumns } from './outstanding-item-columns.tsx';

type ItemFilter = NonNullable<ContractInputs['workpapers']['items']['filter']>;

const text = texts.periods.items;
const idOf = (row: OutstandingItem) => row.key;
const ANY = 'any';
const figures: readonly SummableAmount<OutstandingItem>[] = [
  { cents: (row) => row.amount_in_cents, currency: (row) => row.currency },
];

type ItemView = 'all' | 'open' | 'explained' | 'carried';

/** Tab that shows either the outstanding items at the period's end or the items brought forward into the period. */
export function OutstandingItemsTab({
  site,
  detail,
}: {
  readonly site: Site;
  readonly detail: PeriodDetail;
}) {
  const [view, setView] = useState<ItemView>('all');
  const choice = (
    <SegmentedControl
      label={text.show}
      labelUnseen
      value={view}
      onChange={setView}
      options={[
        { value: 'all', label: text.showAll },
        { value: 'open', label: text.showOpen },
        { value: 'explained', label: text.showExplained },
        { value: 'carried', label: text.showBroughtForward },
      ]}
    />
  );
  if (view === 'carried') {
    return (
      <>
        <div className="period-tools">{choice}</div>
        <BroughtForwardGrid site={site.site} period={detail.period} />
      </>
    );
  }
  return <OutstandingItems site={site.site} detail={detail} shown={view} choice={choice} />;
}

interface OutstandingItemsProps {
  readonly site: string;
  readonly detail: PeriodDetail;
  readonly shown: Exclude<ItemView, 'carried'>;
  readonly choice: ReactNode;
}

/** Lists the items that are outstanding at the period's end, with their explanations. */
function OutstandingItems({ site, detail, shown, choice }: OutstandingItemsProps) {
  const { period } = detail;
  const [bucket, setBucket] = useState(ANY);
  const { data: workpaper } = useQuery('workpapers.get', { site, period });
  const aging = workpaper?.sections[0]?.aging ?? [];
  const filter: ItemFilter = {
    ...(shown === 'all' ? {} : { explained: shown === 'explained' }),
    ...(bucket === ANY ? {} : { bucket: Number(bucket) }),
  };
  const grid = usePagedList({
    name: 'periods',
    procedure: 'workpapers.items',
    query: { site, period, filter },
    idOf,
  });
  const sums = useStore(grid.state, (state) => state.firstPage?.sums ?? null);
  const sections = workpaper?.sections ?? [];
  const currency = sections.length === 1 ? (sections[0]?.currency ?? null) : null;
  const columns = useMemo(() => createOutstandingItemColumns(currency), [currency]);
  const isUnfiltered = shown === 'all' && bucket === ANY;
  const damaged = detail.remarks.some(({ kind: what }) => what === 'damaged');
  const empty =
    isUnfiltered && damaged
      ? { icon: ShieldAlert, title: text.damagedTitle, text: text.damagedText }
      : isUnfiltered
        ? { icon: CircleCheckBig, title: text.emptyTitle, text: text.emptyText }
        : { icon: SearchX, title: text.noneTitle, text: text.noneText };
  return (
    <>
      <div className="period-tools">
        {choice}
        <SelectField
          label={texts.periods.ageColumns.age}
          labelUnseen
          value={bucket}
          onChange={setBucket}
          options={[
            { value: ANY, label: texts.periods.ageColumns.age },
            ...aging.map(({ from_days, to_days }, at) => ({
              value: String(at),
              label: texts.periods.age(from_days, to_days),
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
        filters={describeItems(period, shown, aging[Number(bucket)])}
        onOpen={(row) => {
          if (detail.state === 'closed') openOutstandingItem(row);
          else openDialog({ kind: 'explainItems', period, items: [row] });
        }}
        onEscape={() => openPeriod(period)}
        menu={(row) => [{ id: 'open', label: text.showRecord, run: () => openOutstandingItem(row) }]}
        empty={<EmptyState icon={empty.icon} title={empty.title} text={empty.text} />}
      />
      <StatusBar grid={grid} singular={text.one} figures={figures}>
        {sums && <CurrencySums sums={sums} />}
      </StatusBar>
    </>
  );
}

/** Returns sentences that state which items the list shows. */
function describeItems(
  period: string,
  shown: OutstandingItemsProps['shown'],
  bucket: { readonly from_days: number; readonly to_days: number | null } | undefined,
): string[] {
  const status = { all: null, open: text.showOpen, explained: text.showExplained }[shown];
  return [
    texts.periods.exportedPeriod(period),
    ...(status === null ? [] : [`${text.show}: ${status}`]),
    ...(bucket === undefined
      ? []
      : [`${texts.periods.ageColumns.age}: ${texts.periods.age(bucket.from_days, bucket.to_days)}`]),
  ];
}
