import { useWindowState } from '../../navigation/window-state.ts';
import { formatDateTime } from '../../texts/date-times.ts';
import { describeDisplayZone } from '../../texts/display-zone.ts';
import { texts } from '../../texts/texts.ts';
import type { CopyableCell } from '../columns/column-layout.ts';
import type { GridController, ListPage, ShownList } from '../state/grid-controller.ts';
import type { ListContent } from './list-file.ts';

const text = texts.grid.export;

/** Title, filter and sort order that are stated in an exported or printed list. */
export interface ListDescription extends Pick<ShownList<never>, 'title' | 'filters'> {
  /** Sentence that states the sort order, or null if the list has none. */
  readonly sort?: string | null;
}

/** Returns the labels and values shown above the rows of an exported or printed list. */
export function describeList({ filters, sort = null }: ListDescription): ListContent['facts'] {
  const { site } = useWindowState.getState().route;
  return [
    ...(site === null ? [] : [[text.site, site] as const]),
    ...(filters.length === 0
      ? [[text.filter, text.noFilter] as const]
      : filters.map((filter) => [text.filter, filter] as const)),
    ...(sort === null ? [] : [[text.sort, sort] as const]),
    [text.timeZone, describeDisplayZone()],
    [text.exported, formatDateTime(new Date().toISOString())],
  ];
}

/** Returns the sentence that states the sort order of a list, or null if the list cannot be sorted. */
export function describeSort<Row>({ columns, sort }: ShownList<Row>): string | null {
  if (sort === undefined) return null;
  const title = columns.find(({ sortKey }) => sortKey === sort.by)?.title ?? sort.by;
  return text.sortedBy(title, sort.direction);
}

/** Returns the content of the list in a grid, or null if no view shows the grid. */
export function getListContent<Row, P extends ListPage<Row>>(
  grid: GridController<Row, P>,
  signal: AbortSignal,
): ListContent | null {
  const shown = grid.shownList();
  if (shown === null) return null;
  const { title, columns, filters } = shown;
  return {
    title,
    facts: describeList({ title, filters, sort: describeSort(shown) }),
    columns: columns.map((column) => column.title),
    batches: mapBatches(grid.readAllRows(signal), (row) => columns.map((column) => column.copy(row))),
  };
}

async function* mapBatches<Row>(
  batches: AsyncIterable<readonly Row[]>,
  toCells: (row: Row) => readonly CopyableCell[],
): AsyncGenerator<readonly (readonly CopyableCell[])[]> {
  for await (const rows of batches) yield rows.map(toCells);
}
