import { useMemo } from 'react';
import type { PeriodTrendRow } from '../../contract/index.ts';
import { toMonthRange } from '../../domain/ledger/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { MissingValue } from '../controls/formatted-values.tsx';
import { Link } from '../controls/link.tsx';
import { Panel } from '../controls/panel.tsx';
import { DataTable } from '../controls/table-head.tsx';
import { openPeriod } from '../periods/shared/period-route.ts';
import { PeriodStatusBadge } from '../periods/shared/period-status-badge.tsx';
import { BarPlot } from '../plots/bar-plot.tsx';
import { formatMonth } from '../texts/date-times.ts';
import { formatCount } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';

const text = texts.overview.trend;
const PLOT_HEIGHT_PX = 110;
const PLOT_COLORS = ['--plot-calm'];

const plots = [
  [text.columns.outstanding, ({ outstanding }: PeriodTrendRow) => outstanding],
  [text.columns.daysToClose, ({ days_to_close }: PeriodTrendRow) => days_to_close ?? 0],
] as const;

/** Panel with the checklist, the outstanding items and the time to close of the last months. Empty without a period. */
export function PeriodTrend({ site }: { readonly site: string }) {
  const { data: rows } = useQuery('periods.trend', { site });
  if (rows === undefined || rows.length === 0) return null;
  const titles = text.columns;
  return (
    <Panel level={2} title={text.title}>
      <DataTable
        label={text.title}
        className="table period-trend"
        titles={[
          titles.period,
          titles.state,
          { end: titles.steps },
          { end: titles.overdue },
          { end: titles.outstanding },
          { end: titles.daysToClose },
        ]}
        rows={rows.toReversed().map(({ period, state, steps, overdue, outstanding, days_to_close }) => ({
          key: period,
          cells: [
            <Link key="period" onPress={() => openPeriod(period, 'checklist')}>
              {formatMonth(period)}
            </Link>,
            <PeriodStatusBadge key="state" status={state} />,
            text.steps(steps.done, steps.total),
            state === 'closed' ? <MissingValue key="overdue" /> : formatCount(overdue),
            formatCount(outstanding),
            days_to_close === null ? <MissingValue key="days" /> : formatCount(days_to_close),
          ],
        }))}
      />
      {rows.length > 1 && <TrendPlots rows={rows} />}
    </Panel>
  );
}

/**
 * Plots the outstanding items and the days to close by month, unless all are zero or unknown. The table contains the same
 * numbers.
 */
function TrendPlots({ rows }: { readonly rows: readonly PeriodTrendRow[] }) {
  const shown = plots.filter(([, read]) => rows.some((row) => read(row) > 0));
  if (shown.length === 0) return null;
  return (
    <div className="overview-pair">
      {shown.map(([title, read]) => (
        <figure key={title} className="trend-plot">
          <figcaption>{title}</figcaption>
          <MonthPlot rows={rows} read={read} />
        </figure>
      ))}
    </div>
  );
}

interface MonthPlotProps {
  readonly rows: readonly PeriodTrendRow[];
  readonly read: (row: PeriodTrendRow) => number;
}

function MonthPlot({ rows, read }: MonthPlotProps) {
  const bars = useMemo(
    () =>
      rows.map((row) => {
        const { first, last } = toMonthRange(`${row.period}-01`);
        return {
          from: new Date(`${first}T00:00:00`).getTime(),
          to: new Date(`${last}T24:00:00`).getTime(),
          parts: [read(row)],
        };
      }),
    [rows, read],
  );
  const [from = 0, to = 0] = [bars[0]?.from, bars.at(-1)?.to];
  return <BarPlot bars={bars} colors={PLOT_COLORS} from={from} to={to} height={PLOT_HEIGHT_PX} />;
}
