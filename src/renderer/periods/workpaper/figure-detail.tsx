import { ArrowUpRight, Rows3 } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { FigureRow, PeriodDetail, ScheduleLine, Site } from '../../../contract/index.ts';
import { CommandButton } from '../../commands/command-button.tsx';
import { Button } from '../../controls/button.tsx';
import { EmptyState } from '../../controls/empty-state.tsx';
import { Money } from '../../controls/formatted-values.tsx';
import { Link } from '../../controls/link.tsx';
import type { GridColumn } from '../../grid/columns/column-layout.ts';
import { createColumnFactories, createMoneyColumn } from '../../grid/columns/value-columns.tsx';
import { usePagedList } from '../../grid/lists/use-paged-list.ts';
import { StatusBar } from '../../grid/summary/status-bar.tsx';
import { GridView } from '../../grid/view/grid-view.tsx';
import { DetailPlaceholder } from '../../layout/detail-placeholder.tsx';
import { DetailPane } from '../../layout/screen-layout.tsx';
import { navigate } from '../../navigation/window-state.ts';
import { formatMonth } from '../../texts/date-times.ts';
import { texts } from '../../texts/texts.ts';
import { openFigureRows, openRecordOfFigureRow } from '../shared/open-records.ts';
import { openFigure } from '../shared/period-route.ts';
import { FigureComments } from './figure-comments.tsx';
import { FigureFlux } from './figure-flux.tsx';
import { focusSelectedWorkpaperLine } from './workpaper-keys.ts';

const text = texts.periods.figure;
const idOf = (row: FigureRow) => `${row.kind} ${row.id} ${row.match ?? row.statement ?? ''}`;

interface FigureDetailProps {
  readonly site: Site;
  readonly period: string;
  readonly currency: string;
  readonly figure: string;
  /** All workpaper lines in the figure's currency, or undefined while the workpaper loads. */
  readonly lines: readonly ScheduleLine[] | undefined;
  readonly detail: PeriodDetail;
}

/** Shows the rows that a figure totals, or the lines from which the figure is calculated. */
export function FigureDetail({ site, period, currency, figure, lines = [], detail }: FigureDetailProps) {
  const line = lines.find(({ id }) => id === figure);
  const actions = <CommandButton id="view.closeDetail" kind="quiet" iconOnly />;
  if (line === undefined) {
    return (
      <DetailPlaceholder title={text.rows} actions={actions} error={null} notFoundText={text.notFound} />
    );
  }
  const { label, amount_in_cents, note, list } = line;
  return (
    <DetailPane
      label={label}
      actions={
        <>
          {list !== null && (
            <Button kind="quiet" icon={ArrowUpRight} onPress={() => openFigureRows(list)}>
              {text.showIn(text.lists[list.list])}
            </Button>
          )}
          {actions}
        </>
      }
      head={
        <>
          <h2>
            {label} <Money cents={amount_in_cents} currency={currency} />
          </h2>
          <p>{note}</p>
        </>
      }
    >
      <FigureFlux site={site.site} detail={detail} currency={currency} figure={line.id} />
      <FigureComments site={site.site} detail={detail} currency={currency} figure={line.id} />
      {line.opens ? (
        <Rows site={site} period={period} currency={currency} figure={line.id} />
      ) : (
        <Sum line={line} lines={lines} period={period} currency={currency} />
      )}
    </DetailPane>
  );
}

/** Shows links to the lines that are added or subtracted to calculate a figure. */
function Sum({
  line: { sum },
  lines,
  period,
  currency,
}: {
  readonly line: ScheduleLine;
  readonly lines: readonly ScheduleLine[];
  readonly period: string;
  readonly currency: string;
}) {
  if (sum === null) {
    return <EmptyState icon={Rows3} title={text.emptyTitle} text={text.emptyText} />;
  }
  const parts = [...sum.plus.map((id) => ({ id, sign: '+' })), ...sum.minus.map((id) => ({ id, sign: '−' }))];
  return (
    <div className="detail-body">
      <p>{text.sumOf}</p>
      <ul className="figure-sum">
        {parts.map(({ id, sign }) => {
          const part = lines.find((each) => each.id === id);
          return (
            <li key={id}>
              <span aria-hidden="true">{sign}</span>
              <Link onPress={() => openFigure(period, currency, id)}>{part?.label ?? id}</Link>
              <Money cents={part?.amount_in_cents ?? null} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Rows({ site, period, currency, figure }: Omit<FigureDetailProps, 'lines' | 'detail'>) {
  const grid = usePagedList({
    name: 'figure',
    procedure: 'workpapers.rows',
    query: { site: site.site, period, currency, figure },
    idOf,
  });
  const columns = useMemo(() => rowColumns(currency), [currency]);
  const sum = useStore(grid.state, (state) => state.firstPage?.sum ?? null);
  return (
    <>
      <GridView
        name="figure"
        label={text.rows}
        grid={grid}
        columns={columns}
        isSelectable={false}
        filters={[texts.filters.figureOf(figure, formatMonth(period), currency)]}
        onOpen={(row) => openRecordOfFigureRow(row)}
        onEscape={() => {
          focusSelectedWorkpaperLine();
          navigate({ item: period });
        }}
        empty={<EmptyState icon={Rows3} title={text.emptyTitle} text={text.emptyText} />}
      />
      <StatusBar grid={grid} singular="row">
        {sum && (
          <span>
            {text.total} <Money cents={sum.amount_in_cents} currency={currency} />
          </span>
        )}
      </StatusBar>
    </>
  );
}

const titles = text.columns;
const column = createColumnFactories(titles);

function rowColumns(currency: string): readonly GridColumn<FigureRow>[] {
  return [
    column.text('kind', 94, (row) => text.kinds[row.kind]),
    column.id('id', 104, 'id'),
    column.date('dated', 108, 'dated_on'),
    column.text('text', 110, 'text', { fillsSpace: true }),
    createMoneyColumn(
      { id: 'amount', title: texts.statements.withCurrency(titles.amount, currency), width: 108 },
      'amount_in_cents',
    ),
  ];
}
