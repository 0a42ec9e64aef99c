import { useMemo } from 'react';
import type { StatementDetail } from '../../contract/index.ts';
import { MissingValue } from '../controls/formatted-values.tsx';
import { Panel } from '../controls/panel.tsx';
import { SortableTable, type TableColumn } from '../grid/sortable-table/sortable-table.tsx';
import { texts } from '../texts/texts.ts';
import {
  getAmountDifference,
  pairStatementFigures,
  pairTransactions,
  type StatementFigurePair,
  type TransactionPair,
} from './compare-statements.ts';
import { createAmountColumn, createTimeColumn } from './table-columns.tsx';

const text = texts.statements;

interface ComparedLinesProps {
  readonly left: StatementDetail;
  readonly right: StatementDetail;
  readonly currency: string;
}

/** Shows the figures and transactions of two statements side by side, with their differences. */
export function StatementComparisonTables({ left, right, currency }: ComparedLinesProps) {
  const titles = useMemo(() => [text.detail(left.id), text.detail(right.id)] as const, [left.id, right.id]);
  const lines = useMemo(() => pairTransactions(left.transactions, right.transactions), [left, right]);
  const figureColumns = useMemo(() => createFigureColumns(titles, currency), [titles, currency]);
  const lineColumns = useMemo(() => createLineColumns(titles, currency), [titles, currency]);
  return (
    <div className="tab-scroll tab-panels comparison-lines">
      <Panel title={text.figuresLabel} aside={<span className="fineprint">{text.differenceNote}</span>}>
        <SortableTable
          label={text.figuresLabel}
          columns={figureColumns}
          rows={pairStatementFigures(left, right)}
          idOf={(pair) => pair.id}
          classOf={(pair) => (pair.left === pair.right ? '' : 'sortable-table-differs')}
        />
      </Panel>
      <Panel title={text.tabs.transactions}>
        <SortableTable
          label={text.tabs.transactions}
          columns={lineColumns}
          rows={lines}
          idOf={(pair) => `${pair.left?.id ?? ''}-${pair.right?.id ?? ''}`}
          classOf={(pair) => (isSame(pair) ? '' : 'sortable-table-differs')}
        />
      </Panel>
    </div>
  );
}

const isSame = (pair: TransactionPair) =>
  pair.left !== null && pair.right !== null && getAmountDifference(pair) === 0;

type Titles = readonly [left: string, right: string];

function createFigureColumns([left, right]: Titles, currency: string): TableColumn<StatementFigurePair>[] {
  return [
    {
      id: 'figure',
      title: text.figure,
      cell: (pair) => text.figures[pair.id],
      copy: (pair) => ({ text: text.figures[pair.id] }),
    },
    createAmountColumn({ id: 'left', title: text.withCurrency(left, currency) }, (pair) => pair.left),
    createAmountColumn({ id: 'right', title: text.withCurrency(right, currency) }, (pair) => pair.right),
    createAmountColumn(
      { id: 'difference', title: text.difference, className: 'ledger-difference' },
      (pair) => pair.left - pair.right,
    ),
  ];
}

function createLineColumns([left, right]: Titles, currency: string): TableColumn<TransactionPair>[] {
  const line = ({ left, right }: TransactionPair) => left ?? right;
  const lineText = (pair: TransactionPair) =>
    `${line(pair)?.transaction_type ?? ''} ${line(pair)?.memo ?? ''}`.trim();
  const onlyInText = (pair: TransactionPair) =>
    pair.left === null ? text.rightOnly : pair.right === null ? text.leftOnly : '';
  return [
    {
      id: 'line',
      title: text.line,
      sortValue: lineText,
      cell: (pair) => (
        <>
          <span className="sortable-table-type">{line(pair)?.transaction_type}</span>{' '}
          {line(pair)?.memo || <MissingValue />}
          {onlyInText(pair) !== '' && <small>{onlyInText(pair)}</small>}
        </>
      ),
      copy: (pair) => ({ text: [lineText(pair), onlyInText(pair)].filter(Boolean).join(' · ') }),
    },
    createTimeColumn(text.transactionColumns.at, (pair) => line(pair)?.created_at, 'day'),
    createAmountColumn(
      { id: 'left', title: text.withCurrency(left, currency) },
      (pair) => pair.left?.amount_in_cents ?? null,
    ),
    createAmountColumn(
      { id: 'right', title: text.withCurrency(right, currency) },
      (pair) => pair.right?.amount_in_cents ?? null,
    ),
    createAmountColumn(
      { id: 'difference', title: text.difference, className: 'ledger-difference' },
      getAmountDifference,
    ),
  ];
}
