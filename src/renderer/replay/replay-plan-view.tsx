import type { ReplayPlan, ReplayPlanItem } from '../../contract/index.ts';
import { CopyButton } from '../controls/copy-button.tsx';
import { DateTime, LabeledValueList } from '../controls/formatted-values.tsx';
import { Panel } from '../controls/panel.tsx';
import { Tabs } from '../controls/tabs.tsx';
import type { GridColumn } from '../grid/columns/column-layout.ts';
import { createColumnFactories } from '../grid/columns/value-columns.tsx';
import { usePagedList } from '../grid/lists/use-paged-list.ts';
import { StatusBar } from '../grid/summary/status-bar.tsx';
import { GridView } from '../grid/view/grid-view.tsx';
import { selectTab, useWindowState } from '../navigation/window-state.ts';
import { formatDate } from '../texts/date-times.ts';
import { formatCount } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';
import { formatErrorGroup } from '../texts/webhooks.ts';

const text = texts.replay;

/** Shows the contents of a replay plan: a summary and the list of webhooks. */
export function ReplayPlanView({ site, plan }: { readonly site: string; readonly plan: ReplayPlan }) {
  const tab = useWindowState((view) => (view.tabs['plan'] === 'list' ? 'list' : 'summary'));
  return (
    <Tabs<'summary' | 'list'>
      label={text.planTabs}
      chosen={tab}
      onChoose={(chosen) => selectTab('plan', chosen)}
      tabs={[
        { id: 'summary', title: text.summary, body: () => <Summary plan={plan} /> },
        {
          id: 'list',
          title: text.theList,
          count: plan.count,
          body: () => <ReplayPlanItems site={site} plan={plan.plan} />,
        },
      ]}
    />
  );
}

function Summary({ plan }: { readonly plan: ReplayPlan }) {
  return (
    <div className="plan-summary">
      <div className="plan-parts">
        <ShareList
          title={text.byEvent}
          rows={plan.by_event.map(({ event, count }) => [event, count])}
          total={plan.count}
        />
        <ShareList
          title={text.byError}
          rows={plan.by_error.map(({ error, count }) => [error, count])}
          formatName={formatErrorGroup}
          total={plan.count}
        />
        <DayChart days={plan.by_day} />
        <ShareList
          title={text.byUrl}
          rows={plan.by_url.map(({ url, count }) => [url || text.neverSent, count])}
          total={plan.count}
        />
      </div>
      <LabeledValueList
        rows={[
          [
            text.createdRange,
            plan.oldest_at && (
              <>
                <DateTime at={plan.oldest_at} /> – <DateTime at={plan.newest_at} />
              </>
            ),
          ],
          [text.superseded, plan.superseded > 0 ? text.supersededCount(plan.superseded) : null],
          [text.largestSubscription, formatCount(plan.largest_subscription)],
          [text.endpoint, plan.endpoint],
          [
            text.fingerprint,
            <span key="sha" className="plan-sha">
              <code>{plan.ids_sha256.slice(0, 16)}…</code>
              <CopyButton text={plan.ids_sha256} label={text.fingerprint} />
            </span>,
          ],
        ]}
      />
    </div>
  );
}

const MAX_SHARES = 6;

interface ShareListProps {
  readonly title: string;
  readonly rows: readonly (readonly [name: string, count: number])[];
  readonly total: number;
  /** Converts the name in a row to the text to display. */
  readonly formatName?: (name: string) => string;
}

/** Lists counts, largest first, each with a bar in proportion to its share. */
function ShareList({ title, rows, total, formatName = (name) => name }: ShareListProps) {
  if (rows.length === 0) return null;
  const sorted = rows.toSorted(([, a], [, b]) => b - a);
  const hidden = sorted.length > MAX_SHARES ? sorted.slice(MAX_SHARES - 1) : [];
  const hiddenCount = hidden.reduce((sum, [, count]) => sum + count, 0);
  const shown =
    hidden.length > 0
      ? [...sorted.slice(0, MAX_SHARES - 1), [text.more(hidden.length), hiddenCount] as const]
      : sorted;
  return (
    <Panel title={title}>
      <ul className="shares">
        {shown.map(([name, count]) => (
          <li key={name}>
            <span className="share-name" title={name}>
              {formatName(name)}
            </span>
            <span className="share-count">{formatCount(count)}</span>
            <span className="share-bar" aria-hidden="true" style={{ width: `${(100 * count) / total}%` }} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Shows the number of webhooks per day as a chart from the first to the last day. */
function DayChart({ days }: { readonly days: ReplayPlan['by_day'] }) {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return null;
  const maxCount = Math.max(...days.map(({ count }) => count));
  return (
    <Panel title={text.byDay} aside={<span className="fineprint">{text.days(days.length)}</span>}>
      <ol className="daybars">
        {days.map(({ day, count }) => (
          <li key={day} title={`${formatDate(day)}: ${formatCount(count)}`}>
            <span
              className="daybar"
              aria-hidden="true"
              style={{ height: `${Math.max(4, (100 * count) / maxCount)}%` }}
            />
            <span className="visually-hidden">
              {formatDate(day)}: {formatCount(count)}
            </span>
          </li>
        ))}
      </ol>
      <div className="daybars-ends fineprint" aria-hidden="true">
        <span>{formatDate(first.day)}</span>
        {days.length > 1 && <span>{formatDate(last.day)}</span>}
      </div>
    </Panel>
  );
}

const column = createColumnFactories(text.itemColumns);

const columns: readonly GridColumn<ReplayPlanItem>[] = [
  column.id('id', 106, 'id'),
  column.text('event', 160, 'event', { tone: 'strong' }),
  column.dateTime('created', 150, 'created_at', { isPlain: true }),
  column.text('error', 130, 'last_error', { fillsSpace: true }),
  column.id('subscription', 100, 'subscription_id', { startsHidden: true }),
  column.id('superseded', 110, 'superseded_by', { startsHidden: true }),
];

const idOf = (row: ReplayPlanItem) => row.id;

/** Lists the webhooks of a replay plan in the order in which they are sent. */
function ReplayPlanItems({ site, plan }: { readonly site: string; readonly plan: string }) {
  const grid = usePagedList({
    name: 'planItems',
    procedure: 'replay.planItems',
    query: { site, plan },
    idOf,
  });
  return (
    <div className="plan-items">
      <GridView
        name="planItems"
        label={text.theList}
        grid={grid}
        columns={columns}
        isSelectable={false}
        empty={null}
      />
      <StatusBar grid={grid} singular="webhook" />
    </div>
  );
}
