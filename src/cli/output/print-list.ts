import type { PagingOptions } from '../input/options.ts';
import type { CommandOutput, ListOutput, ListOutputPage } from './command-output.ts';
import { formatNumber } from './format-values.ts';

/** Maximum number of rows per page that list procedures return. */
const MAX_PAGE_ROWS = 1000;
const DEFAULT_ROWS = 100;

interface Page<Row> extends ListOutputPage<Row> {
  readonly total: { readonly count: number; readonly exact: boolean } | null;
}

interface PagedList<Row, ListPage extends Page<Row>>
  extends Pick<ListOutput<Row>, 'columns' | 'fields' | 'empty'> {
  readonly fetchPage: FetchPage<ListPage>;
  /** Plural noun for the rows in the footer, for example `webhooks`. */
  readonly noun: string;
  /** Returns the footer. `count` is the default footer, for example `100 of 12,345 webhooks. Next page: --after …`. */
  readonly footer?: (count: string, first: ListPage) => string;
}

type FetchPage<ListPage> = (page: { limit: number; after?: string }) => Promise<ListPage>;

/** Prints a list. Fetches pages until the requested number of rows is reached. */
export function printList<Row, ListPage extends Page<Row>>(
  { output }: { readonly output: CommandOutput },
  options: PagingOptions,
  { fetchPage, noun, footer = (count) => count, ...list }: PagedList<Row, ListPage>,
): Promise<void> {
  return output.list<Row, ListPage>({
    ...list,
    pages: fetchPages(options, fetchPage),
    footer: (shown, first, next) => footer(formatPageCount(noun, shown, first, next), first),
  });
}

/** Yields the pages of a list until the requested number of rows is reached. */
export async function* fetchPages<ListPage extends ListOutputPage<unknown>>(
  { limit, after, all }: PagingOptions,
  fetchPage: FetchPage<ListPage>,
): AsyncGenerator<ListPage> {
  let remaining = all ? Number.POSITIVE_INFINITY : (limit ?? DEFAULT_ROWS);
  let cursor = after;
  while (remaining > 0) {
    const pageLimit = Math.min(remaining, MAX_PAGE_ROWS);
    const page = await fetchPage(
      cursor === undefined ? { limit: pageLimit } : { limit: pageLimit, after: cursor },
    );
    yield page;
    if (page.next === null) return;
    cursor = page.next;
    remaining -= page.rows.length;
  }
}

function formatPageCount(noun: string, shown: number, { total }: Page<unknown>, next: string | null): string {
  const of = total ? ` of ${total.exact ? '' : 'more than '}${formatNumber(total.count)}` : '';
  const more = next === null ? '' : `. Next page: --after ${next}`;
  return `${formatNumber(shown)}${of} ${noun}${more}`;
}
