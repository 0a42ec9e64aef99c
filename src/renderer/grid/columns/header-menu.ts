import {
  ArrowDown,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  CalendarSearch,
  Columns3,
  EyeOff,
  Group,
  type LucideIcon,
  Pin,
  PinOff,
} from 'lucide-react';
import type { MenuEntry } from '../../controls/menu.tsx';
import { texts } from '../../texts/texts.ts';
import type { ColumnLayout } from '../../user-settings/user-settings.ts';
import { type GridColumn, moveColumnTo, setColumnShown } from './column-layout.ts';
import type { ListSort } from './use-list-sort.ts';

const text = texts.grid.header;

interface HeaderMenuOptions<Row> {
  readonly columns: readonly GridColumn<Row>[];
  /** Index of the column among the shown columns. */
  readonly index: number;
  readonly layout: ColumnLayout;
  readonly sort: ListSort | undefined;
  onSort(sort: ListSort): void;
  onLayout(layout: ColumnLayout): void;
  onJump(): void;
}

/** Returns the menu entries of a column header: sorting, grouping, freezing, moving and hiding the column. */
export function createHeaderMenuEntries<Row>(options: HeaderMenuOptions<Row>): MenuEntry[] {
  return [...createSortEntries(options), ...createLayoutEntries(options)];
}

const entry = (id: string, label: string, icon: LucideIcon, run: () => void): MenuEntry => ({
  id,
  label,
  icon,
  run,
});

function createSortEntries<Row>({
  columns,
  index,
  sort,
  onSort,
  onJump,
}: HeaderMenuOptions<Row>): MenuEntry[] {
  const column = columns[index];
  if (column?.sortKey === undefined || sort === undefined) return [];
  const { sortKey: by, dayOf, alignEnd } = column;
  const isSorted = sort.by === by;
  const isGrouped = isSorted && sort.isGrouped === true;
  const direction = isSorted ? sort.direction : dayOf ? 'desc' : 'asc';
  const canGroup = dayOf !== undefined || !alignEnd;
  return [
    entry('asc', text.ascending, ArrowUp, () => onSort({ by, direction: 'asc', isGrouped })),
    entry('desc', text.descending, ArrowDown, () => onSort({ by, direction: 'desc', isGrouped })),
    ...(canGroup
      ? [
          entry('group', isGrouped ? text.ungroup : text.group(column.title), Group, () =>
            onSort({ by, direction, isGrouped: !isGrouped }),
          ),
        ]
      : []),
    ...(dayOf
      ? [
          {
            ...entry('jump', text.jump, CalendarSearch, onJump),
            disabledReason: isSorted ? null : text.sortFirst,
          },
        ]
      : []),
  ];
}

function createLayoutEntries<Row>({ columns, index, layout, onLayout }: HeaderMenuOptions<Row>): MenuEntry[] {
  const column = columns[index];
  if (column === undefined) return [];
  const move = (by: -1 | 1) => {
    const target = columns[index + by];
    if (target) onLayout(moveColumnTo(layout, column.id, target.id));
  };
  const isFrozen = index < layout.frozen;
  const isOnly = columns.length === 1;
  return [
    isFrozen
      ? entry('unfreeze', text.unfreeze, PinOff, () => onLayout({ ...layout, frozen: 0 }))
      : entry('freeze', text.freeze, Pin, () => onLayout({ ...layout, frozen: index + 1 })),
    {
      ...entry('left', text.moveLeft, ArrowLeft, () => move(-1)),
      disabledReason: index === 0 ? texts.grid.isFirst : null,
    },
    {
      ...entry('right', text.moveRight, ArrowRight, () => move(1)),
      disabledReason: index === columns.length - 1 ? texts.grid.isLast : null,
    },
    {
      ...entry('hide', text.hide(column.title), EyeOff, () =>
        onLayout(setColumnShown(layout, column.id, false)),
      ),
      disabledReason: isOnly ? text.onlyColumn : null,
    },
    ...(layout.hidden.length > 0
      ? [entry('showAll', text.showAll, Columns3, () => onLayout({ ...layout, hidden: [] }))]
      : []),
  ];
}
