import { CircleCheckBig, ClipboardCheck, SearchX } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { ContractOutputs, ExceptionFilter, ExceptionRow, Site } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { Button } from '../controls/button.tsx';
import { EmptyState } from '../controls/empty-state.tsx';
import { Money } from '../controls/formatted-values.tsx';
import type { MenuEntry } from '../controls/menu.tsx';
import { useOpenNextRow } from '../grid/lists/use-open-next-row.ts';
import type { GridController } from '../grid/state/grid-controller.ts';
import { ListScreen } from '../list-screen/list-screen.tsx';
import { useScreenList } from '../list-screen/use-screen-list.ts';
import { navigate, setListFilter, useWindowState } from '../navigation/window-state.ts';
import { formatMoney } from '../texts/money.ts';
import { formatCount, formatCountWithNoun } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';
import { createExceptionColumns } from './exception-columns.tsx';
import { ExceptionDetail } from './exception-detail.tsx';
import { createExceptionFilterFields } from './filter-fields.ts';
import { SeverityIcon } from './status-badges.tsx';

type ExceptionPage = ContractOutputs['exceptions']['list'];

const text = texts.exceptions;
const sortKeys = ['severity', 'at_stake_in_cents', 'dated_on', 'id'] as const;
const noCauses: readonly [] = [];
const idOf = (row: ExceptionRow) => row.id;

/** Screen that lists the exceptions found by the checks. */
export function ExceptionsScreen({ site }: { readonly site: Site }) {
  const filter = useWindowState((state) => state.filters.exceptions);
  const item = useWindowState((state) => state.route.item);
  const { data: rules } = useQuery('check.rules', { site: site.site });
  const { data: assignees } = useQuery('exceptions.assignees', { site: site.site });
  const { data: months } = useQuery('check.months', { site: site.site });
  const columns = useMemo(() => createExceptionColumns(site.currency), [site.currency]);
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
  const list = useScreenList({
    screen: 'exceptions',
    site: site.site,
    procedure: 'exceptions.list',
    marksProcedure: 'exceptions.marks',
    sortKeys,
    idOf,
    isDetailOpen: item !== null,
  });
  const { grid } = list;
  useOpenNextRow(grid, item);
  return (
    <ListScreen
      screen="exceptions"
      title={text.title}
      actions={
        <>
          <CommandButton id="exceptions.replay" kind="quiet" />
          <CommandButton id="exceptions.assign" kind="quiet" />
          <CommandButton id="exceptions.accept" kind="primary" />
        </>
      }
      list={list}
      searchLabel={text.search}
      fields={createExceptionFilterFields({ rules, assignees, months: months?.months })}
      banner={<ExceptionCauses site={site} grid={grid} />}
      label={text.grid}
      columns={columns}
      menu={(row) => filterMenu(filter, row)}
      empty={<NoExceptions site={site.site} filter={filter} />}
      singular="exception"
      figures={figures}
      statusBar={<ExceptionTotals grid={grid} currency={site.currency} />}
      detail={item === null ? null : <ExceptionDetail site={site} id={Number(item)} />}
      detailWidth={500}
    />
  );
}

/** Lists the causes of the exceptions that match the filter, with their counts and amounts. A press shows one cause. */
function ExceptionCauses({
  site,
  grid,
}: {
  readonly site: Site;
  readonly grid: GridController<ExceptionRow, ExceptionPage>;
}) {
  const filter = useWindowState((state) => state.filters.exceptions);
  const { data: rules } = useQuery('check.rules', { site: site.site });
  const isLoaded = useStore(grid.state, (state) => state.firstPage !== null);
  const causes = useStore(grid.state, (state) => state.firstPage?.sums?.by_rule ?? noCauses);
  // The bar is reserved while the list loads, so that the list does not move afterwards.
  if (isLoaded && causes.length < 2) return null;
  return (
    <ul className="exception-causes" aria-label={text.causes}>
      {causes.map(({ rule, severity, count, at_stake_in_cents: cents }) => (
        <li key={rule + severity}>
          <Button
            size="small"
            onPress={() => setListFilter('exceptions', { ...filter, rule: [rule], severity: [severity] })}
          >
            <SeverityIcon severity={severity} />
            {rules?.find((known) => known.rule === rule)?.title ?? rule}
            <small>
              {formatCount(count)}
              {cents !== 0 && ` · ${formatMoney(cents, site.currency)}`}
            </small>
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** Shows the totals of all exceptions that match the filter. */
function ExceptionTotals({
  grid,
  currency,
}: {
  readonly grid: GridController<ExceptionRow, ExceptionPage>;
  readonly currency: string;
}) {
  const sums = useStore(grid.state, (state) => state.firstPage?.sums ?? null);
  if (!sums) return null;
  return (
    <>
      {sums.by_severity
        .filter(({ count }) => count > 0)
        .map(({ severity, count }) => (
          <span key={severity}>
            {formatCountWithNoun(
              count,
              text.severities[severity].toLowerCase(),
              text.severitiesMany[severity],
            )}
          </span>
        ))}
      <span>
        {text.atStake} <Money cents={sums.at_stake_in_cents} currency={currency} />
      </span>
    </>
  );
}

function filterMenu(filter: ExceptionFilter, row: ExceptionRow): MenuEntry[] {
  const { subscription_id } = row.subject;
  return [
    {
      id: 'rule',
      label: texts.grid.onlyThis(text.columns.rule, row.title),
      run: () => setListFilter('exceptions', { ...filter, rule: [row.rule] }),
    },
    ...(subscription_id === null
      ? []
      : [
          {
            id: 'subscription',
            label: texts.grid.onlyThis(text.columns.subscription, String(subscription_id)),
            run: () => setListFilter('exceptions', { ...filter, subscription_id }),
          },
          {
            id: 'activity',
            label: texts.exceptions.openSubscription,
            run: () => navigate({ screen: 'subscriptions', item: String(subscription_id) }),
          },
        ]),
  ];
}

/** Explains why the list is empty: no check has run, no exceptions are open, or none match the filter. */
function NoExceptions({ site, filter }: { readonly site: string; readonly filter: ExceptionFilter }) {
  const { data: summary } = useQuery('check.summary', { site });
  const { status, ...others } = filter;
  const onlyOpen = Object.keys(others).length === 0 && (status?.every((one) => one === 'open') ?? true);
  if (summary?.checked.at === null) {
    return (
      <EmptyState
        icon={ClipboardCheck}
        title={text.uncheckedTitle}
        action={<CommandButton id="check.start" kind="primary" />}
        text={text.uncheckedText}
      />
    );
  }
  return (
    <EmptyState
      icon={onlyOpen ? CircleCheckBig : SearchX}
      title={onlyOpen ? text.clearTitle : text.noneTitle}
      action={
        <Button onPress={() => setListFilter('exceptions', {})}>
          {onlyOpen ? text.showAll : texts.filters.clear}
        </Button>
      }
      text={onlyOpen ? text.clearText : text.noneText}
    />
  );
}
