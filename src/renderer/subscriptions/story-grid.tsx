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
import type { Site, StoryEntry, StoryKind } from '../../contract/index.ts';
import { Button } from '../controls/button.tsx';
import { Empty } from '../controls/pieces.tsx';
import { Absent, Money } from '../controls/values.tsx';
import type { Column } from '../grid/columns.ts';
import { GridView } from '../grid/grid-view.tsx';
import { useList } from '../grid/use-list.ts';
import type { Sort } from '../grid/use-sort.ts';
import { momentColumn } from '../grid/value-columns.tsx';
import { openPlace } from '../view/place.ts';
import { decimalOf } from '../words/money.ts';
import { countText } from '../words/numbers.ts';
import { words } from '../words/words.ts';
import { entryKey, homeOf, tell } from './telling.ts';

const text = words.story;
const kinds: readonly StoryKind[] = [
  'statement',
  'transaction',
  'event',
  'allocation',
  'webhook',
  'exception',
];

const icons: Record<StoryKind, LucideIcon> = {
  statement: FileText,
  transaction: ArrowLeftRight,
  event: Zap,
  allocation: Layers,
  webhook: Webhook,
  exception: CircleAlert,
};

interface StoryGridProps {
  readonly site: Site;
  readonly subscription: number;
  readonly counts: Readonly<Record<StoryKind, number>>;
}

/** Everything that happened to a subscription, in order, as a ledger. */
export function StoryGrid({ site, subscription: subscription_id, counts }: StoryGridProps) {
  const [only, setOnly] = useState<readonly StoryKind[]>([]);
  const [direction, setDirection] = useState<Sort['direction']>('asc');
  const columns = useMemo(() => storyColumns(site.currency), [site.currency]);
  const grid = useList({
    name: 'story',
    list: 'subscriptions.story',
    selection: {
      site: site.site,
      subscription_id,
      direction,
      ...(only.length > 0 ? { kinds: [...only] } : {}),
    },
    idOf: entryKey,
  });
  const toggle = (kind: StoryKind) =>
    setOnly(only.includes(kind) ? only.filter((other) => other !== kind) : [...only, kind]);
  return (
    <div className="story">
      <fieldset className="story-kinds" aria-label={text.kindsLabel}>
        {kinds
          .filter((kind) => counts[kind] > 0)
          .map((kind) => (
            <Button
              key={kind}
              kind="quiet"
              size="small"
              icon={icons[kind]}
              pressed={only.includes(kind)}
              onPress={() => toggle(kind)}
            >
              {text.kinds[kind]}
              <span className="tab-count">{countText(counts[kind])}</span>
            </Button>
          ))}
      </fieldset>
      <GridView
        name="story"
        label={text.grid}
        grid={grid}
        columns={columns}
        sort={{ by: 'at', direction }}
        onSort={(sort) => setDirection(sort.direction)}
        pickable={false}
        onOpen={(entry) => openPlace(homeOf(entry))}
        empty={
          <Empty icon={BookOpen} title={text.noneTitle}>
            {text.noneText}
          </Empty>
        }
      />
    </div>
  );
}

function storyColumns(currency: string): readonly Column<StoryEntry>[] {
  const titles = text.columns;
  return [
    momentColumn({ id: 'at', title: titles.at, width: 154, sort: 'at' }, (entry) => entry.at),
    {
      id: 'what',
      title: titles.what,
      width: 200,
      cell: (entry) => <What entry={entry} currency={currency} />,
      copy: (entry) => ({ text: tell(entry, currency).what }),
    },
    {
      id: 'how',
      title: titles.text,
      width: 100,
      grows: true,
      cell: (entry) => {
        const { how } = tell(entry, currency);
        return how === null ? null : (
          <span className="grid-quiet" title={how}>
            {how}
          </span>
        );
      },
      copy: (entry) => ({ text: tell(entry, currency).how ?? '' }),
    },
    amountColumn('amount', currency),
    amountColumn('balance', currency),
  ];
}

function What({ entry, currency }: { readonly entry: StoryEntry; readonly currency: string }) {
  const { what, tone } = tell(entry, currency);
  const Icon = icons[entry.kind];
  return (
    <span className={`story-what story-${tone}`} title={what}>
      <Icon size={14} aria-hidden="true" />
      <span>{what}</span>
    </span>
  );
}

function amountColumn(id: 'amount' | 'balance', currency: string): Column<StoryEntry> {
  return {
    id,
    title: id === 'amount' ? words.statements.withCurrency(text.columns[id], currency) : text.columns[id],
    width: id === 'amount' ? 108 : 88,
    end: true,
    cell: (entry) => {
      const { [id]: cents, tone } = tell(entry, currency);
      if (cents === null) return entry.kind === 'transaction' ? <Absent /> : null;
      return (
        <span className={tone === 'edge' ? 'grid-strong' : ''}>
          <Money cents={cents} />
        </span>
      );
    },
    copy: (entry) => {
      const cents = tell(entry, currency)[id];
      return { exact: cents === null ? '' : decimalOf(cents) };
    },
  };
}
