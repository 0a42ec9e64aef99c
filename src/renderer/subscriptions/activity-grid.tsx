import {
  ArrowLeftRight,
  BookOpen,
  CircleAlert,
  FileText,
  Layers,
  type LucideIcon,
  Webhook,
  Zap,
} from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ActivityEntry, ActivityKind, Site } from '../../contract/index.ts';
import { Button } from '../controls/button.tsx';
import { EmptyState } from '../controls/empty-state.tsx';
import { MissingValue, Money } from '../controls/formatted-values.tsx';
import type { GridColumn } from '../grid/columns/column-layout.ts';
import type { ListSort } from '../grid/columns/use-list-sort.ts';
import { createColumnFactories } from '../grid/columns/value-columns.tsx';
import { usePagedList } from '../grid/lists/use-paged-list.ts';
import { StatusBar } from '../grid/summary/status-bar.tsx';
import { GridView } from '../grid/view/grid-view.tsx';
import { openRecordLocation } from '../navigation/record-location.ts';
import { formatDecimal } from '../texts/money.ts';
import { formatCount } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';
import { identifyActivityEntry, toActivityRow } from './activity-row.ts';

const text = texts.activity;
const kinds: readonly ActivityKind[] = [
  'statement',
  'transaction',
  'event',
  'allocation',
  'webhook',
  'exception',
];

const icons: Record<ActivityKind, LucideIcon> = {
  statement: FileText,
  transaction: ArrowLeftRight,
  event: Zap,
  allocation: Layers,
  webhook: Webhook,
  exception: CircleAlert,
};

const idOf = (entry: ActivityEntry) => identifyActivityEntry(entry).key;

interface ActivityGridProps {
  readonly site: Site;
  readonly subscription: number;
  readonly counts: Readonly<Record<ActivityKind, number>>;
}

/** Lists the activity of a subscription in time order, like a ledger. */
export function ActivityGrid({ site, subscription: subscription_id, counts }: ActivityGridProps) {
  const [shownKinds, setShownKinds] = useState<readonly ActivityKind[]>([]);
  const [direction, setDirection] = useState<ListSort['direction']>('asc');
  const columns = useMemo(() => activityColumns(site.currency), [site.currency]);
  const grid = usePagedList({
    name: 'activity',
    procedure: 'subscriptions.activity',
    query: {
      site: site.site,
      subscription_id,
      direction,
      ...(shownKinds.length > 0 ? { kinds: [...shownKinds] } : {}),
    },
    idOf,
  });
  const toggle = (kind: ActivityKind) =>
    setShownKinds(
      shownKinds.includes(kind) ? shownKinds.filter((shown) => shown !== kind) : [...shownKinds, kind],
    );
  return (
    <div className="activity">
      <fieldset className="activity-kinds" aria-label={text.kindsLabel}>
        {kinds
          .filter((kind) => counts[kind] > 0)
          .map((kind) => (
            <Button
              key={kind}
              kind="quiet"
              size="small"
              icon={icons[kind]}
              isPressed={shownKinds.includes(kind)}
              onPress={() => toggle(kind)}
            >
              {text.kinds[kind]}
              <span className="tab-count">{formatCount(counts[kind])}</span>
            </Button>
          ))}
      </fieldset>
      <GridView
        name="activity"
        label={text.grid}
        grid={grid}
        columns={columns}
        sort={{ by: 'at', direction }}
        onSort={(sort) => setDirection(sort.direction)}
        isSelectable={false}
        onOpen={(entry) => openRecordLocation(identifyActivityEntry(entry).location)}
        empty={<EmptyState icon={BookOpen} title={text.noneTitle} text={text.noneText} />}
        filters={describeActivityFilter(subscription_id, shownKinds)}
      />
      <StatusBar grid={grid} singular="entry" plural="entries" />
    </div>
  );
}

const describeActivityFilter = (subscription: number, shown: readonly ActivityKind[]): string[] => [
  text.filters.subscription(subscription),
  ...(shown.length > 0 ? [text.filters.kinds(shown.map((kind) => text.kinds[kind]).join(', '))] : []),
];

function activityColumns(currency: string): readonly GridColumn<ActivityEntry>[] {
  const titles = text.columns;
  const column = createColumnFactories(titles);
  return [
    column.dateTime('at', 154, 'at', { sortKey: 'at' }),
    {
      id: 'title',
      title: titles.what,
      width: 200,
      cell: (entry) => <EntryTitle entry={entry} currency={currency} />,
      copy: (entry) => ({ text: toActivityRow(entry, currency).title }),
    },
    {
      id: 'details',
      title: titles.text,
      width: 100,
      fillsSpace: true,
      cell: (entry) => {
        const { details } = toActivityRow(entry, currency);
        return details === null ? null : (
          <span className="grid-quiet" title={details}>
            {details}
          </span>
        );
      },
      copy: (entry) => ({ text: toActivityRow(entry, currency).details ?? '' }),
    },
    amountColumn('amount', currency),
    amountColumn('balance', currency),
  ];
}

function EntryTitle({ entry, currency }: { readonly entry: ActivityEntry; readonly currency: string }) {
  const { title, tone } = toActivityRow(entry, currency);
  const Icon = icons[entry.kind];
  return (
    <span className={`activity-title activity-${tone}`} title={title}>
      <Icon size={14} aria-hidden="true" />
      <span>{title}</span>
    </span>
  );
}

function amountColumn(id: 'amount' | 'balance', currency: string): GridColumn<ActivityEntry> {
  return {
    id,
    title: id === 'amount' ? texts.statements.withCurrency(text.columns[id], currency) : text.columns[id],
    width: id === 'amount' ? 108 : 88,
    alignEnd: true,
    cell: (entry) => {
      const { [id]: cents, tone } = toActivityRow(entry, currency);
      if (cents === null) return entry.kind === 'transaction' ? <MissingValue /> : null;
      return (
        <span className={tone === 'balance' ? 'grid-strong' : ''}>
          <Money cents={cents} />
        </span>
      );
    },
    copy: (entry) => {
      const cents = toActivityRow(entry, currency)[id];
      return { exact: cents === null ? '' : formatDecimal(cents) };
    },
  };
}
