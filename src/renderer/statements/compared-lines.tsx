import { useMemo } from 'react';
import type { StatementDetail } from '../../contract/index.ts';
import { Panel } from '../controls/panel.tsx';
import { DateTime, Money, NoValue } from '../controls/values.tsx';
import type { CopyCell } from '../grid/columns/columns.ts';
import { SortableTable, type TableColumn } from '../grid/sortable-table/sortable-table.tsx';
import { formatDecimal } from '../texts/money.ts';
import { texts } from '../texts/texts.ts';
import {
  type FigurePair,
  type LinePair,
  pairFigures,
  pairLines,
  subtractAmounts,
} from './compare-statements.ts';

const text = texts.statements;

interface ComparedLinesProps {
  readonly here: StatementDetail;
  readonly there: StatementDetail;
  readonly currency: string;
}

/** Figures and transactions of two statements side by side, with their differences. */
export function ComparedLines({ here, there, currency }: ComparedLinesProps) {
  const titles = useMemo(() => [text.detail(here.id), text.detail(there.id)] as const, [here.id, there.id]);
  const lines = useMemo(() => pairLines(here.transactions, there.transactions), [here, there]);
  const figureColumns = useMemo(() => createFigureColumns(titles, currency), [titles, currency]);
  const lineColumns = useMemo(() => createLineColumns(titles, currency), [titles, currency]);
  return (
    <div className="tab-scroll tab-panels comparison-lines">
      <Panel title={text.figuresLabel} aside={<span className="fineprint">{text.differenceNote}</span>}>
        <SortableTable
          label={text.figuresLabel}
          columns={figureColumns}
          rows={pairFigures(here, there)}
          idOf={(pair) => pair.id}
          classOf={(pair) => (pair.here === pair.there ? '' : 'sortable-table-differs')}
        />
      </Panel>
      <Panel title={text.tabs.transactions}>
        <SortableTable
          label={text.tabs.transactions}
          columns={lineColumns}
          rows={lines}
          idOf={(pair) => `${pair.here?.id ?? ''}-${pair.there?.id ?? ''}`}
          classOf={(pair) => (isSame(pair) ? '' : 'sortable-table-differs')}
        />
      </Panel>
    </div>
  );
}

const isSame = (pair: LinePair) => pair.here !== null && pair.there !== null && subtractAmounts(pair) === 0;

function amountColumn<Row>(
  id: string,
  title: string,
  read: (row: Row) => number | null,
  className = '',
): TableColumn<Row> {
  return {
    id,
    title,
    alignEnd: true,
    className,
    sortValue: read,
    cell: (row) => <Money cents={read(row)} />,
    copy: (row): CopyCell => {
      const cents = read(row);
      return { exact: cents === null ? '' : formatDecimal(cents) };
    },
  };
}

type Titles = readonly [here: string, there: string];

function createFigureColumns([here, there]: Titles, currency: string): TableColumn<FigurePair>[] {
  return [
    {
      id: 'figure',
      title: text.figure,
      cell: (pair) => text.figures[pair.id],
      copy: (pair) => ({ text: text.figures[pair.id] }),
    },
    amountColumn('here', text.withCurrency(here, currency), (pair) => pair.here),
    amountColumn('there', text.withCurrency(there, currency), (pair) => pair.there),
    amountColumn('difference', text.difference, (pair) => pair.here - pair.there, 'ledger-difference'),
  ];
}

function createLineColumns([here, there]: Titles, currency: string): TableColumn<LinePair>[] {
  const line = ({ here, there }: LinePair) => here ?? there;
  const lineText = (pair: LinePair) =>
    `${line(pair)?.transaction_type ?? ''} ${line(pair)?.memo ?? ''}`.trim();
  const onlyInText = (pair: LinePair) =>
    pair.here === null ? text.rightOnly : pair.there === null ? text.leftOnly : '';
  return [
    {
      id: 'line',
      title: text.line,
      sortValue: lineText,
      cell: (pair) => (
        <>
          <span className="sortable-table-type">{line(pair)?.transaction_type}</span>{' '}
          {line(pair)?.memo || <NoValue />}
          {onlyInText(pair) !== '' && <small>{onlyInText(pair)}</small>}
        </>
      ),
      copy: (pair) => ({ text: [lineText(pair), onlyInText(pair)].filter(Boolean).join(' · ') }),
    },
    {
      id: 'at',
      title: text.transactionColumns.at,
      className: 'sortable-table-time',
      cell: (pair) => <DateTime at={line(pair)?.created_at ?? null} precision="day" />,
      copy: (pair) => ({ text: line(pair)?.created_at ?? '' }),
    },
    amountColumn('here', text.withCurrency(here, currency), (pair) => pair.here?.amount_in_cents ?? null),
    amountColumn('there', text.withCurrency(there, currency), (pair) => pair.there?.amount_in_cents ?? null),
    amountColumn('difference', text.difference, subtractAmounts, 'ledger-difference'),
  ];
}
