import { CircleCheckBig, ClipboardCheck, SearchX } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { ExceptionFilter, ExceptionRow, Outputs, Site } from '../../contract/index.ts';
import { useQuery } from '../backend/hooks.ts';
import { CommandButton } from '../commands/use-commands.tsx';
import { Button } from '../controls/button.tsx';
import type { MenuEntry } from '../controls/menu.tsx';
import { Empty } from '../controls/pieces.tsx';
import { Money } from '../controls/values.tsx';
import { FilterBar } from '../filters/filter-bar.tsx';
import { Beside, Screen } from '../frame/screen.tsx';
import { ColumnChooser } from '../grid/column-chooser.tsx';
import type { Grid } from '../grid/controller.ts';
import { GridView } from '../grid/grid-view.tsx';
import { StatusBar } from '../grid/status-bar.tsx';
import { useFollow } from '../grid/use-follow.ts';
import { useList } from '../grid/use-list.ts';
import { useNextInLine } from '../grid/use-next-in-line.ts';
import { useSort } from '../grid/use-sort.ts';
import { go, setFilter, useView } from '../view/view.ts';
import { counted } from '../words/numbers.ts';
import { words } from '../words/words.ts';
import { exceptionColumns } from './columns.tsx';
import { ExceptionDetail } from './exception-detail.tsx';
import { exceptionFields } from './fields.ts';

type ExceptionPage = Outputs['exceptions']['list'];

const text = words.exceptions;
const orders = ['severity', 'at_stake_in_cents', 'dated_on', 'id'] as const;
const idOf = (row: ExceptionRow) => row.id;
const itemOf = (row: ExceptionRow) => String(row.id);

/** What the checks found, to be worked through. */
export function ExceptionsScreen({ site }: { readonly site: Site }) {
  const filter = useView((view) => view.filters.exceptions);
  const item = useView((view) => view.route.item);
  const [sort, setSort] = useSort('exceptions', orders);
  const { data: rules } = useQuery('check.rules', { site: site.site });
  const { data: assignees } = useQuery('exceptions.assignees', { site: site.site });
  const { data: months } = useQuery('check.months', { site: site.site });
  const columns = useMemo(() => exceptionColumns(site.currency), [site.currency]);
  const figures = useMemo(
    () => [
      {
        label: text.atStake,
        cents: (row: ExceptionRow) => row.at_stake_in_cents,
        currency: () => site.currency,
      },
    ],
    [site.currency],
  );
  const grid = useList({
    name: 'exceptions',
    list: 'exceptions.list',
    marks: 'exceptions.marks',
    selection: { site: site.site, filter, sort },
    idOf,
  });
  useFollow(grid, item !== null, itemOf);
  useNextInLine(grid, item);
  return (
    <Screen
      title={text.title}
      actions={
        <>
          <CommandButton id="exceptions.replay" kind="quiet" />
          <CommandButton id="exceptions.assign" kind="quiet" />
          <CommandButton id="exceptions.accept" kind="primary" />
        </>
      }
    >
      <FilterBar
        screen="exceptions"
        search={text.search}
        fields={exceptionFields({ rules, assignees, months: months?.months })}
      >
        <ColumnChooser name="exceptions" columns={columns} />
      </FilterBar>
      <Beside
        name="exceptions"
        width={500}
        list={
          <>
            <GridView
              name="exceptions"
              label={text.grid}
              grid={grid}
              columns={columns}
              sort={sort}
              onSort={setSort}
              onOpen={(row) => go({ item: itemOf(row) }, item !== null)}
              onEscape={() => go({ item: null })}
              menu={(row) => narrowings(filter, row)}
              empty={<NoExceptions site={site.site} filter={filter} />}
            />
            <StatusBar grid={grid} one="exception" figures={figures}>
              <Sums grid={grid} currency={site.currency} />
            </StatusBar>
          </>
        }
        detail={item === null ? null : <ExceptionDetail site={site} id={Number(item)} />}
      />
    </Screen>
  );
}

/** What all that match come to. */
function Sums({
  grid,
  currency,
}: {
  readonly grid: Grid<ExceptionRow, ExceptionPage>;
  readonly currency: string;
}) {
  const sums = useStore(grid.state, (state) => state.first?.sums ?? null);
  if (!sums) return null;
  return (
    <>
      {sums.by_severity
        .filter(({ count }) => count > 0)
        .map(({ severity, count }) => (
          <span key={severity}>
            {counted(count, text.severities[severity].toLowerCase(), text.severitiesMany[severity])}
          </span>
        ))}
      <span>
        {text.atStake} <Money cents={sums.at_stake_in_cents} currency={currency} />
      </span>
    </>
  );
}

function narrowings(filter: ExceptionFilter, row: ExceptionRow): MenuEntry[] {
  const { subscription_id } = row.subject;
  return [
    {
      id: 'rule',
      label: words.grid.onlyThis(text.columns.rule, row.title),
      run: () => setFilter('exceptions', { ...filter, rule: [row.rule] }),
    },
    ...(subscription_id === null
      ? []
      : [
          {
            id: 'subscription',
            label: words.grid.onlyThis(text.columns.subscription, String(subscription_id)),
            run: () => setFilter('exceptions', { ...filter, subscription_id }),
          },
          {
            id: 'story',
            label: words.palette.jump.subscription(String(subscription_id)),
            run: () => go({ screen: 'subscriptions', item: String(subscription_id) }),
          },
        ]),
  ];
}

/** Nothing to do is good news; nothing found by a filter is not. */
function NoExceptions({ site, filter }: { readonly site: string; readonly filter: ExceptionFilter }) {
  const { data: summary } = useQuery('check.summary', { site });
  const { status, ...others } = filter;
  const onlyOpen = Object.keys(others).length === 0 && (status?.every((one) => one === 'open') ?? true);
  if (summary?.checked.at === null) {
    return (
      <Empty
        icon={ClipboardCheck}
        title={text.uncheckedTitle}
        action={<CommandButton id="check.start" kind="primary" />}
      >
        {text.uncheckedText}
      </Empty>
    );
  }
  if (onlyOpen) {
    return (
      <Empty
        icon={CircleCheckBig}
        title={text.clearTitle}
        action={<Button onPress={() => setFilter('exceptions', {})}>{text.showAll}</Button>}
      >
        {text.clearText}
      </Empty>
    );
  }
  return (
    <Empty
      icon={SearchX}
      title={text.noneTitle}
      action={<Button onPress={() => setFilter('exceptions', {})}>{words.filters.clear}</Button>}
    >
      {text.noneText}
    </Empty>
  );
}
