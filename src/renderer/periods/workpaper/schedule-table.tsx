import { Fragment } from 'react';
import type { Schedule, ScheduleLine } from '../../../contract/index.ts';
import { MissingValue, Money } from '../../controls/formatted-values.tsx';
import { Link } from '../../controls/link.tsx';
import { Panel } from '../../controls/panel.tsx';
import { TableHead } from '../../controls/table-head.tsx';
import { useWindowState } from '../../navigation/window-state.ts';
import { formatAmount } from '../../texts/money.ts';
import { formatCount } from '../../texts/numbers.ts';
import { texts } from '../../texts/texts.ts';
import { openFigure, parsePeriodRoute } from '../shared/period-route.ts';

const text = texts.periods;

interface ScheduleTableProps {
  readonly schedule: Schedule;
  readonly currency: string;
  readonly period: string;
  /** Number of comments to clear per figure, by currency and id. */
  readonly comments: ReadonlyMap<string, number>;
}

/** Shows the lines of a workpaper schedule, including a difference of zero. */
export function ScheduleTable({ schedule, currency, period, comments }: ScheduleTableProps) {
  const titles = text.lineColumns;
  const { count } = schedule.unexplained;
  const { materiality } = schedule;
  return (
    <Panel
      level={2}
      title={text.schedule(schedule.id, schedule.title)}
      aside={
        materiality?.passed ? (
          <span className="fineprint">
            {text.passedSchedule(
              formatAmount(materiality.tested_in_cents),
              formatAmount(materiality.threshold_in_cents),
            )}
          </span>
        ) : (
          count > 0 && <span className="sheet-open fineprint">{text.unexplainedOf(count)}</span>
        )
      }
    >
      <p className="sheet-purpose">{schedule.purpose}</p>
      <table className="table sheet-table">
        <TableHead
          titles={[
            titles.line,
            { end: titles.rows },
            titles.ticks,
            { end: texts.statements.withCurrency(titles.amount, currency) },
          ]}
        />
        <tbody>
          {schedule.lines.map((line) => (
            <Fragment key={line.id}>
              <Line
                line={line}
                currency={currency}
                period={period}
                comments={comments.get(`${currency} ${line.id}`) ?? 0}
              />
              {line.parts.length > 1 &&
                line.parts.map(({ label, count: rows, amount_in_cents }) => (
                  <tr key={label} className="sheet-part">
                    <td>
                      <span className="visually-hidden">{text.partOf} </span>
                      {label}
                    </td>
                    <td className="table-end">{formatCount(rows)}</td>
                    <td />
                    <td className="table-end">
                      <span className="sheet-inner">
                        <Money cents={amount_in_cents} />
                      </span>
                    </td>
                  </tr>
                ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

interface LineProps {
  readonly line: ScheduleLine;
  readonly currency: string;
  readonly period: string;
  readonly comments: number;
}

function Line({ line, currency, period, comments }: LineProps) {
  const { id, label, role, amount_in_cents, count, ticks, note, unexplained } = line;
  const figure = parsePeriodRoute(useWindowState((state) => state.route.item))?.figure;
  const isOpen = figure?.id === id && figure.currency === currency;
  const differs = role === 'difference' && amount_in_cents !== 0;
  return (
    <tr className={`sheet-${role}${isOpen ? ' sheet-here' : ''}${differs ? ' sheet-differs' : ''}`}>
      <th scope="row">
        <Link onPress={() => openFigure(period, currency, id)}>{label}</Link>
        <small>
          {note}{' '}
          {unexplained !== null && unexplained.count > 0 && (
            <span className="sheet-open">{text.unexplainedOf(unexplained.count)}</span>
          )}
          {comments > 0 && <span className="sheet-open"> {text.comments.onLine(comments)}</span>}
        </small>
      </th>
      <td className="table-end">{count === null ? <MissingValue /> : formatCount(count)}</td>
      <td>
        {ticks.map((tick) => (
          <span key={tick} className="tickmark">
            {tick}
          </span>
        ))}
      </td>
      <td className="table-end">
        <Money cents={amount_in_cents} />
      </td>
    </tr>
  );
}
