import { CircleCheckBig, Landmark, SearchX } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { MatchGroup, MatchSummary, Outputs, Site } from '../../../contract/index.ts';
import { useAction, useClient, useQuery } from '../../backend/hooks.ts';
import { CommandButton } from '../../commands/use-commands.tsx';
import { Button } from '../../controls/button.tsx';
import { Empty, Skeleton } from '../../controls/pieces.tsx';
import { ErrorNote } from '../../errors/error-note.tsx';
import { FilterBar } from '../../filters/filter-bar.tsx';
import { Beside } from '../../frame/screen.tsx';
import { ColumnChooser } from '../../grid/column-chooser.tsx';
import { GridView } from '../../grid/grid-view.tsx';
import { StatusBar } from '../../grid/status-bar.tsx';
import { useFollow } from '../../grid/use-follow.ts';
import { useList } from '../../grid/use-list.ts';
import { useNextInLine } from '../../grid/use-next-in-line.ts';
import { useSort } from '../../grid/use-sort.ts';
import { go, setFilter, useView } from '../../view/view.ts';
import { words } from '../../words/words.ts';
import { acceptRule } from '../decide.ts';
import { ruleTitle } from '../looks.tsx';
import { groupColumns } from './columns.tsx';
import { groupFields } from './fields.ts';
import { GroupDetail } from './group-detail.tsx';

const text = words.matching;
const orders = ['dated_on', 'amount_in_cents'] as const;
const noPasses: Outputs['match']['passes'] = [];
const idOf = (row: MatchGroup) => row.id;
const itemOf = (row: MatchGroup) => String(row.id);

/** What was proposed and decided, to be worked through: the open one beside the list, decided by a key. */
export function ReviewPane({
  site,
  summary,
  id,
}: {
  readonly site: Site;
  readonly summary: MatchSummary | null;
  /** The match that is open. */
  readonly id: number | null;
}) {
  const filter = useView((view) => view.filters.matching);
  const item = id === null ? null : String(id);
  const [sort, setSort] = useSort('matching', orders);
  const { data: passes = noPasses } = useQuery('match.passes', { site: site.site });
  const columns = useMemo(() => groupColumns(passes), [passes]);
  const grid = useList({
    name: 'matching',
    list: 'match.list',
    marks: 'match.marks',
    selection: { site: site.site, filter, sort, members: 3 },
    idOf,
  });
  useFollow(grid, item !== null, itemOf);
  useNextInLine(grid, item);
  const active = useStore(grid.state, () => grid.activeRow() ?? null);
  return (
    <>
      <FilterBar screen="matching" search={text.search} fields={groupFields(passes)}>
        <ColumnChooser name="matching" columns={columns} />
      </FilterBar>
      <AcceptRule site={site.site} passes={passes} summary={summary} />
      <Beside
        name="matching"
        width={520}
        list={
          <>
            <GridView
              name="matching"
              label={text.grid}
              grid={grid}
              columns={columns}
              sort={sort}
              onSort={setSort}
              onOpen={(row) => go({ item: itemOf(row) }, item !== null)}
              onEscape={() => go({ item: null })}
              menu={(row) => [
                {
                  id: 'rule',
                  label: words.grid.onlyThis(text.columns.rule, ruleTitle(row.rule, passes)),
                  run: () => setFilter('matching', { ...filter, rule: [row.rule] }),
                },
              ]}
              empty={<NoGroups summary={summary} />}
            />
            <StatusBar grid={grid} one="match" many="matches" />
          </>
        }
        detail={id === null ? null : <GroupDetail site={site} id={id} passes={passes} row={active} />}
      />
    </>
  );
}

/** Where one rule is filtered for, everything it suggests can be confirmed at once. */
function AcceptRule({
  site,
  passes,
  summary,
}: {
  readonly site: string;
  readonly passes: Outputs['match']['passes'];
  readonly summary: MatchSummary | null;
}) {
  const client = useClient();
  const filter = useView((view) => view.filters.matching);
  const { status, rule: rules = [], ...narrower } = filter;
  const [rule, ...others] = rules;
  const accepting = useAction((of: string) => acceptRule(client, site, of, filter));
  if (rule === undefined || others.length > 0 || status?.includes('suggested') === false) return null;
  const waiting =
    summary?.groups.find((group) => group.rule === rule && group.status === 'suggested')?.count ?? 0;
  if (waiting === 0) return null;
  return (
    <div className="match-accept">
      <Button pending={accepting.running} onPress={() => void accepting.run(rule)}>
        {Object.keys(narrower).length === 0
          ? text.acceptAllOf(ruleTitle(rule, passes))
          : text.acceptListedOf(ruleTitle(rule, passes))}
      </Button>
      {accepting.error && <ErrorNote error={accepting.error} site={site} />}
    </div>
  );
}

function NoGroups({ summary }: { readonly summary: MatchSummary | null }) {
  const filter = useView((view) => view.filters.matching);
  const { status = [], ...others } = filter;
  const onlyOpen =
    Object.keys(others).length === 0 && status.every((one) => one === 'suggested' || one === 'ambiguous');
  // Why there are none is not said before it is known.
  if (summary === null) return <Skeleton />;
  if (summary.lines.length === 0) {
    return (
      <Empty
        icon={Landmark}
        title={text.emptyTitle}
        action={<Button onPress={() => go({ screen: 'bank' })}>{text.toBank}</Button>}
      >
        {text.emptyText}
      </Empty>
    );
  }
  if (summary.last_run === null && onlyOpen) {
    return (
      <Empty
        icon={Landmark}
        title={text.emptyTitle}
        action={<CommandButton id="matching.run" kind="primary" />}
      >
        {text.runHint}
      </Empty>
    );
  }
  const count = (...of: MatchGroup['status'][]) =>
    summary.groups.reduce((sum, group) => sum + (of.includes(group.status) ? group.count : 0), 0);
  if (onlyOpen && count('suggested', 'ambiguous') === 0) {
    const confirmed = count('confirmed');
    const see = (
      <Button kind="primary" onPress={() => setFilter('matching', { status: ['confirmed'] })}>
        {text.seeConfirmed(confirmed)}
      </Button>
    );
    const actions = (
      <>
        {confirmed > 0 && see}
        <CommandButton id="matching.hand" />
      </>
    );
    return (
      <Empty icon={CircleCheckBig} title={text.noneTitle} action={actions}>
        {text.noneText}
      </Empty>
    );
  }
  return (
    <Empty
      icon={SearchX}
      title={text.noneFitsTitle}
      action={<Button onPress={() => setFilter('matching', {})}>{words.filters.clear}</Button>}
    >
      {text.noneFits}
    </Empty>
  );
}
