import type { Outage } from '../../contract/index.ts';
import { DataTable } from '../controls/table-head.tsx';
import type { StackedBar } from '../plots/bar-plot.tsx';
import { formatDateTime } from '../texts/date-times.ts';
import { formatCount } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';
import { getOutageRange } from './outage-ranges.ts';

const text = texts.outages;
const titles = text.tableColumns;

interface TimelineTableProps {
  readonly bars: readonly StackedBar[];
  readonly outages: readonly Outage[];
}

/** Shows the timeline's bars as a table, newest first, omitting empty bars. */
export function TimelineTable({ bars, outages }: TimelineTableProps) {
  const rows = bars.filter(({ parts }) => parts.some((part) => part > 0)).toReversed();
  const findOutage = (bar: StackedBar) =>
    outages.find((outage) => {
      const { from, to } = getOutageRange(outage);
      return from < bar.to && to > bar.from;
    });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section className="bar-table" aria-label={text.table} tabIndex={0}>
      <DataTable
        titles={[
          titles.from,
          { end: titles.accepted },
          { end: titles.failed },
          { end: titles.pending },
          titles.outage,
        ]}
        rows={rows.map((bar) => {
          const [failed = 0, pending = 0, accepted = 0] = bar.parts;
          const outage = findOutage(bar);
          const counts = [accepted, failed, pending].map((count) => formatCount(count));
          const from = formatDateTime(new Date(bar.from).toISOString());
          return { key: bar.from, cells: [from, ...counts, outage && text.kinds[outage.kind]] };
        })}
      />
    </section>
  );
}
