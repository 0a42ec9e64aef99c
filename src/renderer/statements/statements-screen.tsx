import { CircleDot, Receipt } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { FoundStatement, Outputs, Site, StatementFilter, StatementRow } from '../../contract/index.ts';
import { useQuery } from '../backend/hooks.ts';
import { CommandButton } from '../commands/use-commands.tsx';
import { Button } from '../controls/button.tsx';
import type { MenuEntry } from '../controls/menu.tsx';
import { Empty } from '../controls/pieces.tsx';
import { Money } from '../controls/values.tsx';
import { type FilterField, those } from '../filters/fields.ts';
import { figureField } from '../filters/figure-field.ts';
import { FilterBar } from '../filters/filter-bar.tsx';
import { useUnread } from '../filters/use-unread.ts';
import { Beside, Screen } from '../frame/screen.tsx';
import { ColumnChooser } from '../grid/column-chooser.tsx';
import type { Grid } from '../grid/controller.ts';
import { GridView } from '../grid/grid-view.tsx';
import { StatusBar } from '../grid/status-bar.tsx';
import type { Figure } from '../grid/sums.ts';
import { useFollow } from '../grid/use-follow.ts';
import { useList } from '../grid/use-list.ts';
import { arriveAt, changeFinding } from '../pdf/finding.ts';
import { go, setFilter, setTab, useView } from '../view/view.ts';
import { words } from '../words/words.ts';
import { statementColumns } from './columns.tsx';
import { Comparison } from './comparison.tsx';
import { useStatementSort } from './order.ts';
import { statementsIn } from './place.ts';
import { StatementDetail } from './statement-detail.tsx';

type StatementPage = Outputs['statements']['list'];

const text = words.statements;
const idOf = (row: StatementRow) => row.id;
const itemOf = (row: StatementRow) => String(row.id);

/** The statements held, what they add up to, and each of them in full. */
export function StatementsScreen({ site }: { readonly site: Site }) {
  const filter = useView((view) => view.filters.statements);
  const item = useView((view) => view.route.item);
  const [sort, setSort] = useStatementSort();
  const { data: facets } = useQuery('statements.facets', { site: site.site });
  const unread = useUnread(site.site, 'statements', filter.search);
  const grid = useList({
    name: 'statements',
    list: 'statements.list',
    marks: 'statements.marks',
    selection: { site: site.site, filter, sort },
    idOf,
  });
  // Where the rows themselves show what was sought, there is nothing more to say.
  const told = useStore(grid.state, ({ first }) => first?.rows.some(({ found }) => found !== null) ?? false);
  const columns = useMemo(() => statementColumns(site.currency, told), [site.currency, told]);
  const figures = useMemo(() => figuresIn(site.currency), [site.currency]);

  const open = statementsIn(item);
  useFollow(grid, open !== null && open.other === null, itemOf);
  if (open !== null && open.other !== null) {
    return (
      <Screen title={text.title}>
        <Comparison site={site} id={open.id} other={open.other} />
      </Screen>
    );
  }

  return (
    <Screen
      title={text.title}
      actions={
        item !== null && (
          <>
            <CommandButton id="statements.previous" kind="quiet" bare />
            <CommandButton id="statements.next" kind="quiet" bare />
            <CommandButton id="statements.compare" kind="quiet" bare />
            <CommandButton id="statements.pdf" />
          </>
        )
      }
    >
      <FilterBar screen="statements" search={text.search} fields={statementFields(facets)}>
        <ColumnChooser name="statements" columns={columns} />
      </FilterBar>
      <Beside
        name="statements"
        width={600}
        list={
          <>
            <GridView
              name="statements"
              label={text.grid}
              grid={grid}
              columns={columns}
              sort={sort}
              onSort={setSort}
              onOpen={(row) => {
                showFound(row);
                go({ item: itemOf(row) }, item !== null);
              }}
              onEscape={() => go({ item: null })}
              menu={(row) => narrowings(filter, row)}
              empty={<NoStatements filtered={Object.keys(filter).length > 0} unread={unread} />}
            />
            <StatusBar grid={grid} one="statement" figures={figures}>
              <Sums grid={grid} currency={site.currency} />
              {unread && <span>{unread}</span>}
            </StatusBar>
          </>
        }
        detail={open === null ? null : <StatementDetail site={site} id={open.id} />}
      />
    </Screen>
  );
}

/** A statement that a search found is opened at the place that says it, with the words marked. */
function showFound({ id, found }: FoundStatement): void {
  if (!found) return;
  setTab('statement', found.place === 'memo' ? 'details' : found.place);
  if (found.place === 'pdf') arriveAt({ name: words.pdf.name(id), page: found.page ?? 1 }, found.hit);
  else changeFinding({ open: true, words: found.hit });
}

/** What all that match add up to. */
function Sums({
  grid,
  currency,
}: {
  readonly grid: Grid<FoundStatement, StatementPage>;
  readonly currency: string;
}) {
  const sums = useStore(grid.state, (state) => state.first?.sums ?? null);
  if (!sums) return null;
  return (
    <>
      <span>
        {text.sums.charges} <Money cents={sums.charges_in_cents} currency={currency} />
      </span>
      <span>
        {text.sums.payments} <Money cents={sums.payments_in_cents} currency={currency} />
      </span>
    </>
  );
}

function figuresIn(currency: string): readonly Figure<StatementRow>[] {
  return [
    { label: text.sums.charges, cents: (row) => row.charges_in_cents, currency: () => currency },
    { label: text.sums.payments, cents: (row) => row.payments_in_cents, currency: () => currency },
  ];
}

const states = ['unpaid', 'open', 'paid'] as const;

function statementFields(
  facets: Outputs['statements']['facets'] | undefined,
): FilterField<StatementFilter>[] {
  return [
    {
      kind: 'choice',
      id: 'state',
      label: text.filters.state,
      icon: CircleDot,
      several: true,
      options: states.map((state) => ({ value: state, label: text.states[state], count: facets?.[state] })),
      chosen: (filter) => filter.state ?? [],
      choose: (filter, values) => ({ ...filter, state: those(states, values) }),
    },
    {
      kind: 'days',
      id: 'days',
      label: words.filters.closedDays,
      read: (filter) => filter,
      write: (filter, { since, until }) => ({ ...filter, since, until }),
    },
    {
      kind: 'fixed',
      id: 'subscription',
      label: text.filters.subscription,
      text: (filter) => (filter.subscription_id === undefined ? null : String(filter.subscription_id)),
      clear: (filter) => ({ ...filter, subscription_id: undefined }),
    },
    figureField(),
  ];
}

function narrowings(filter: StatementFilter, row: StatementRow): MenuEntry[] {
  return [
    {
      id: 'subscription',
      label: words.grid.onlyThis(text.columns.subscription, String(row.subscription_id)),
      run: () => setFilter('statements', { ...filter, subscription_id: row.subscription_id }),
    },
    {
      id: 'state',
      label: words.grid.onlyThis(text.columns.state, text.states[row.state]),
      run: () => setFilter('statements', { ...filter, state: [row.state] }),
    },
  ];
}

function NoStatements({ filtered, unread }: { readonly filtered: boolean; readonly unread: string | null }) {
  return filtered ? (
    <Empty
      icon={Receipt}
      title={unread ? words.filters.unread.noneTitle : text.noneTitle}
      action={<Button onPress={() => setFilter('statements', {})}>{words.filters.clear}</Button>}
    >
      {unread ?? text.noneText}
    </Empty>
  ) : (
    <Empty icon={Receipt} title={text.emptyTitle} action={<CommandButton id="sync.start" kind="primary" />}>
      {text.emptyText}
    </Empty>
  );
}
