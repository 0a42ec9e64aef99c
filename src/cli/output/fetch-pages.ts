import type { PageOptions } from '../input/options.ts';
import { formatNumber } from './format-values.ts';
import type { OutputPage } from './output.ts';

/** Maximum number of rows that a list procedure returns per page. */
const MAX_PAGE_ROWS = 1000;
const DEFAULT_ROWS = 100;

/** Fetches pages of a list until the requested number of rows is reached. */
export async function* fetchPages<P extends OutputPage<unknown>>(
  { limit, after, all }: PageOptions,
  fetchPage: (page: { limit: number; after?: string }) => Promise<P>,
): AsyncGenerator<P> {
  let remaining = all ? Number.POSITIVE_INFINITY : (limit ?? DEFAULT_ROWS);
  let cursor = after;
  while (remaining > 0) {
    const page = await fetchPage({
      limit: Math.min(remaining, MAX_PAGE_ROWS),
      ...(cursor === undefined ? {} : { after: cursor }),
    });
    yield page;
    if (page.next === null) return;
    cursor = page.next;
    remaining -= page.rows.length;
  }
}

/** Creates a table footer, for example `100 of 12,345 webhooks. Next page: --after …` */
export function createPageFooter(noun: string) {
  return (
    shown: number,
    first: OutputPage<unknown> & {
      readonly total?: { readonly count: number; readonly exact: boolean } | null;
    },
    next: string | null,
  ): string => {
    const { total } = first;
    const of = total ? ` of ${total.exact ? '' : 'more than '}${formatNumber(total.count)}` : '';
    const more = next === null ? '' : `. Next page: --after ${next}`;
    return `${formatNumber(shown)}${of} ${noun}${more}`;
  };
}
