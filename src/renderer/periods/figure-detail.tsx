import { ArrowUpRight, Rows3 } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { FigureRow, ScheduleLine, Site } from '../../contract/index.ts';
import { CommandButton } from '../commands/use-commands.tsx';
import { Button } from '../controls/button.tsx';
import { Link } from '../controls/link.tsx';
import { Empty } from '../controls/pieces.tsx';
import { Money } from '../controls/values.tsx';
import { DetailPending } from '../frame/detail-pending.tsx';
import { Detail } from '../frame/screen.tsx';
import type { Column } from '../grid/columns.ts';
import { GridView } from '../grid/grid-view.tsx';
import { StatusBar } from '../grid/status-bar.tsx';
import { useList } from '../grid/use-list.ts';
import { dateColumn, idColumn, moneyColumn, textColumn } from '../grid/value-columns.tsx';
import { go } from '../view/view.ts';
import { words } from '../words/words.ts';
import { openList, openRow } from './opened.ts';
import { openFigure } from './place.ts';
import { focusOpenLine } from './sheet-keys.ts';

const text = words.periods.figure;
const idOf = (row: FigureRow) => `${row.kind} ${row.id} ${row.match ?? row.statement ?? ''}`;

interface FigureDetailProps {
  readonly site: Site;
  readonly period: string;
  readonly currency: string;
  readonly figure: string;
  /** All of the sheet; undefined while it is read. */
  readonly lines: readonly ScheduleLine[] | undefined;
}

/** A figure of the sheet opened to its parts: the rows that come to it, or the lines it is the sum of. */
export function FigureDetail({ site, period, currency, figure, lines = [] }: FigureDetailProps) {
  const line = lines.find(({ id }) => id === figure);
  const actions = <CommandButton id="view.closeDetail" kind="quiet" bare />;
  if (line === undefined) {
    return <DetailPending title={text.rows} actions={actions} error={null} notHeld={text.notHeld} />;
  }
  const { label, amount_in_cents, note, list } = line;
  return (
    <Detail
      label={label}
      actions={
        <>
          {list !== null && (
            <Button kind="quiet" icon={ArrowUpRight} onPress={() => openList(list)}>
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
      {line.opens ? (
        <Rows site={site} period={period} currency={currency} figure={line.id} />
      ) : (
        <Sum line={line} lines={lines} period={period} currency={currency} />
      )}
    </Detail>
  );
}

/** A figure that other lines make up leads to them. */
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
    return (
      <Empty icon={Rows3} title={text.emptyTitle}>
        {text.emptyText}
      </Empty>
    );
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

interface RowsProps {
  readonly site: Site;
  readonly period: string;
  readonly currency: string;
  readonly figure: string;
}

function Rows({ site, period, currency, figure }: RowsProps) {
  const grid = useList({
    name: 'figure',
    list: 'workpapers.rows',
    selection: { site: site.site, period, currency, figure },
    idOf,
  });
  const columns = useMemo(() => rowColumns(currency), [currency]);
  const sum = useStore(grid.state, (state) => state.first?.sum ?? null);
  return (
    <>
      <GridView
        name="figure"
        label={text.rows}
        grid={grid}
        columns={columns}
        pickable={false}
        onOpen={(row) => openRow(row)}
        onEscape={() => {
          focusOpenLine();
          go({ item: period });
        }}
        empty={
          <Empty icon={Rows3} title={text.emptyTitle}>
            {text.emptyText}
          </Empty>
        }
      />
      <StatusBar grid={grid} one="row">
        {sum && (
          <span>
            {text.comesTo} <Money cents={sum.amount_in_cents} currency={currency} />
          </span>
        )}
      </StatusBar>
    </>
  );
}

const titles = text.columns;

function rowColumns(currency: string): readonly Column<FigureRow>[] {
  return [
    textColumn({ id: 'kind', title: titles.kind, width: 94 }, (row) => text.kinds[row.kind]),
    idColumn({ id: 'id', title: titles.id, width: 104 }, (row) => row.id),
    dateColumn({ id: 'dated', title: titles.dated, width: 108 }, (row) => row.dated_on),
    textColumn({ id: 'text', title: titles.text, width: 110, grows: true }, (row) => row.text),
    moneyColumn(
      { id: 'amount', title: words.statements.withCurrency(titles.amount, currency), width: 108 },
      (row) => row.amount_in_cents,
    ),
  ];
}
