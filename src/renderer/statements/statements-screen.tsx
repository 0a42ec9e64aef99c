import { CircleDot, Receipt } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type {
  ContractOutputs,
  Site,
  StatementFilter,
  StatementRow,
  StatementSearchResult,
} from '../../contract/index.ts';
import { INVOICE_SITE_TEXT } from '../../domain/labels/service-details.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { Money } from '../controls/formatted-values.tsx';
import type { MenuEntry } from '../controls/menu.tsx';
import {
  createDayRangeFilterField,
  createFigureFilterField,
  createMultiChoiceField,
  createReadOnlyField,
  type FilterField,
} from '../filters/filter-field.ts';
import { useUnindexedRecordsNotice } from '../filters/use-unindexed-records-notice.ts';
import type { GridController } from '../grid/state/grid-controller.ts';
import type { SummableAmount } from '../grid/summary/currency-sums.ts';
import { ScreenLayout } from '../layout/screen-layout.tsx';
import { ListEmptyState, ListScreen } from '../list-screen/list-screen.tsx';
import { useScreenList } from '../list-screen/use-screen-list.ts';
import { setListFilter, useWindowState } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { openStatementPassage } from './open-passage.ts';
import { createStatementListColumns } from './statement-columns.tsx';
import { StatementComparison } from './statement-comparison.tsx';
import { StatementDetail } from './statement-detail.tsx';
import { statementSortKeys } from './statement-list-query.ts';
import { parseStatementRouteItem } from './statement-route.ts';

type StatementPage = ContractOutputs['statements']['list'];

const text = texts.statements;
const invoiceSiteTexts = { ...text, emptyTitle: text.invoiceSiteTitle, emptyText: INVOICE_SITE_TEXT };
const idOf = (row: StatementRow) => row.id;

/** Screen that lists the stored statements, with totals, details, and comparison. */
export function StatementsScreen({ site }: { readonly site: Site }) {
  const filter = useWindowState((state) => state.filters.statements);
  const item = useWindowState((state) => state.route.item);
  const { data: facets } = useQuery('statements.facets', { site: site.site });
  const unsearchedText = useUnindexedRecordsNotice(site.site, 'statements', filter.search);
  const open = parseStatementRouteItem(item);
  const list = useScreenList({
    screen: 'statements',
    site: site.site,
    procedure: 'statements.list',
    marksProcedure: 'statements.marks',
    sortKeys: statementSortKeys,
    idOf,
    isDetailOpen: open !== null && open.other === null,
  });
  const { grid } = list;
  // The column with matches is shown only if at least one listed statement has a matching passage.
  const showsMatches = useStore(
    grid.state,
    ({ firstPage }) => firstPage?.rows.some(({ passage }) => passage !== null) ?? false,
  );
  const columns = useMemo(
    () => createStatementListColumns(site.currency, showsMatches),
    [site.currency, showsMatches],
  );
  const figures = useMemo(() => summedFigures(site.currency), [site.currency]);

  if (open !== null && open.other !== null) {
    return (
      <ScreenLayout title={text.title}>
        <StatementComparison site={site} id={open.id} other={open.other} />
      </ScreenLayout>
    );
  }

  return (
    <ListScreen
      screen="statements"
      title={text.title}
      actions={
        item !== null && (
          <>
            <CommandButton id="statements.previous" kind="quiet" iconOnly />
            <CommandButton id="statements.next" kind="quiet" iconOnly />
            <CommandButton id="statements.compare" kind="quiet" iconOnly />
            <CommandButton id="statements.pdf" />
          </>
        )
      }
      list={list}
      searchLabel={text.search}
      fields={statementFields(facets)}
      label={text.grid}
      columns={columns}
      onOpen={(row: StatementSearchResult) => openStatementPassage(row, filter.search?.trim() ?? '')}
      menu={(row) => rowFilterMenu(filter, row)}
      empty={
        <ListEmptyState
          screen="statements"
          icon={Receipt}
          text={site.service_details?.bills_by === 'invoices' ? invoiceSiteTexts : text}
          unsearched={unsearchedText}
        />
      }
      singular="statement"
      figures={figures}
      statusBar={
        <>
          <TotalSums grid={grid} currency={site.currency} />
          {unsearchedText && <span>{unsearchedText}</span>}
        </>
      }
      detail={open === null ? null : <StatementDetail site={site} id={open.id} />}
      detailWidth={600}
    />
  );
}

/** Shows the totals of all statements that match the filter. */
function TotalSums({
  grid,
  currency,
}: {
  readonly grid: GridController<StatementSearchResult, StatementPage>;
  readonly currency: string;
}) {
  const sums = useStore(grid.state, (state) => state.firstPage?.sums ?? null);
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

function summedFigures(currency: string): readonly SummableAmount<StatementRow>[] {
  return [
    { label: text.sums.charges, cents: (row) => row.charges_in_cents, currency: () => currency },
    { label: text.sums.payments, cents: (row) => row.payments_in_cents, currency: () => currency },
  ];
}

const states = ['unpaid', 'open', 'paid'] as const;

function statementFields(
  facets: ContractOutputs['statements']['facets'] | undefined,
): FilterField<StatementFilter>[] {
  return [
    createMultiChoiceField('state', {
      label: text.filters.state,
      icon: CircleDot,
      options: states.map((state) => ({ value: state, label: text.states[state], count: facets?.[state] })),
    }),
    createDayRangeFilterField('days', texts.filters.closedDays),
    createReadOnlyField('subscription_id', text.filters.subscription),
    createFigureFilterField(),
  ];
}

function rowFilterMenu(filter: StatementFilter, row: StatementRow): MenuEntry[] {
  return [
    {
      id: 'subscription',
      label: texts.grid.onlyThis(text.columns.subscription, String(row.subscription_id)),
      run: () => setListFilter('statements', { ...filter, subscription_id: row.subscription_id }),
    },
    {
      id: 'state',
      label: texts.grid.onlyThis(text.columns.state, text.states[row.state]),
      run: () => setListFilter('statements', { ...filter, state: [row.state] }),
    },
  ];
}
