import { CircleCheckBig, Landmark, SearchX } from 'lucide-react';
import { useStore } from 'zustand';
import type { ContractOutputs, MatchGroup, MatchSummary, Site } from '../../../contract/index.ts';
import { getMatchOriginLabel } from '../../../domain/labels/matches.ts';
import { useAction, useContractClient, useQuery } from '../../backend-client/backend-hooks.ts';
import { CommandButton } from '../../commands/command-button.tsx';
import { Button } from '../../controls/button.tsx';
import { EmptyState } from '../../controls/empty-state.tsx';
import { Skeleton } from '../../controls/skeleton.tsx';
import { ErrorMessage } from '../../errors/error-message.tsx';
import { useOpenNextRow } from '../../grid/lists/use-open-next-row.ts';
import { ListPane } from '../../list-screen/list-screen.tsx';
import { useScreenList } from '../../list-screen/use-screen-list.ts';
import { navigate, setListFilter, useWindowState } from '../../navigation/window-state.ts';
import { texts } from '../../texts/texts.ts';
import { confirmAllMatchesOfRule } from '../shared/match-decisions.ts';
import { matchColumns } from './match-columns.tsx';
import { MatchDetail } from './match-detail.tsx';
import { getMatchFilterFields } from './match-filter-fields.ts';

const text = texts.matching;
const sortKeys = ['dated_on', 'amount_in_cents'] as const;
const noPasses: ContractOutputs['match']['passes'] = [];
const idOf = (row: MatchGroup) => row.id;

/** Lists the matches to review, with the open match next to the list. */
export function MatchReviewPane({
  site,
  summary,
  id,
}: {
  readonly site: Site;
  readonly summary: MatchSummary | null;
  /** Id of the open match, or null if none is open. */
  readonly id: number | null;
}) {
  const filter = useWindowState((state) => state.filters.matching);
  const item = id === null ? null : String(id);
  const { data: passes = noPasses } = useQuery('match.passes', { site: site.site });
  const list = useScreenList({
    screen: 'matching',
    site: site.site,
    procedure: 'match.list',
    marksProcedure: 'match.marks',
    sortKeys,
    idOf,
    isDetailOpen: item !== null,
    input: { members: 3 },
  });
  const { grid } = list;
  useOpenNextRow(grid, item);
  const active = useStore(grid.state, () => grid.activeRow() ?? null);
  return (
    <ListPane
      screen="matching"
      list={list}
      searchLabel={text.search}
      fields={getMatchFilterFields(passes)}
      label={text.grid}
      columns={matchColumns}
      banner={<ConfirmAllOfRule site={site.site} summary={summary} />}
      menu={(row) => [
        {
          id: 'rule',
          label: texts.grid.onlyThis(text.columns.rule, getMatchOriginLabel(row.rule).title),
          run: () => setListFilter('matching', { ...filter, rule: [row.rule] }),
        },
      ]}
      empty={<NoMatches summary={summary} />}
      singular="match"
      plural="matches"
      detail={id === null ? null : <MatchDetail site={site} id={id} row={active} />}
      detailWidth={520}
    />
  );
}

/** Button that confirms all suggestions of a pass. It is shown only if the list is filtered by that pass alone. */
function ConfirmAllOfRule({
  site,
  summary,
}: {
  readonly site: string;
  readonly summary: MatchSummary | null;
}) {
  const client = useContractClient();
  const filter = useWindowState((state) => state.filters.matching);
  const { status, rule: rules = [], ...narrower } = filter;
  const [rule, ...others] = rules;
  const confirming = useAction((of: string) => confirmAllMatchesOfRule(client, site, of, filter));
  if (rule === undefined || others.length > 0 || status?.includes('suggested') === false) return null;
  const suggestionCount =
    summary?.groups.find((group) => group.rule === rule && group.status === 'suggested')?.count ?? 0;
  if (suggestionCount === 0) return null;
  const { title } = getMatchOriginLabel(rule);
  return (
    <div className="match-accept">
      <Button isPending={confirming.running} onPress={() => void confirming.run(rule)}>
        {Object.keys(narrower).length === 0 ? text.confirmAllOf(title) : text.confirmListedOf(title)}
      </Button>
      {confirming.error && <ErrorMessage error={confirming.error} site={site} />}
    </div>
  );
}

function NoMatches({ summary }: { readonly summary: MatchSummary | null }) {
  const filter = useWindowState((state) => state.filters.matching);
  const { status = [], ...others } = filter;
  const onlyOpen =
    Object.keys(others).length === 0 && status.every((one) => one === 'suggested' || one === 'ambiguous');
  // Shows a placeholder, because the reason for the empty list is unknown until the summary has loaded.
  if (summary === null) return <Skeleton />;
  if (summary.lines.length === 0) {
    return (
      <EmptyState
        icon={Landmark}
        title={text.emptyTitle}
        action={<Button onPress={() => navigate({ screen: 'bank' })}>{text.toBank}</Button>}
        text={text.emptyText}
      />
    );
  }
  if (summary.last_run === null && onlyOpen) {
    return (
      <EmptyState
        icon={Landmark}
        title={text.emptyTitle}
        action={<CommandButton id="matching.run" kind="primary" />}
        text={text.runHint}
      />
    );
  }
  const count = (...of: MatchGroup['status'][]) =>
    summary.groups.reduce((sum, group) => sum + (of.includes(group.status) ? group.count : 0), 0);
  if (onlyOpen && count('suggested', 'ambiguous') === 0) {
    const confirmed = count('confirmed');
    const showConfirmed = (
      <Button kind="primary" onPress={() => setListFilter('matching', { status: ['confirmed'] })}>
        {text.seeConfirmed(confirmed)}
      </Button>
    );
    const actions = (
      <>
        {confirmed > 0 && showConfirmed}
        <CommandButton id="matching.manual" />
      </>
    );
    return <EmptyState icon={CircleCheckBig} title={text.noneTitle} action={actions} text={text.noneText} />;
  }
  return (
    <EmptyState
      icon={SearchX}
      title={text.noResultsTitle}
      action={<Button onPress={() => setListFilter('matching', {})}>{texts.filters.clear}</Button>}
      text={text.noResultsText}
    />
  );
}
