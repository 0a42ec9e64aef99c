import type { ListOptions } from '../input/options.ts';
import { count } from './figures.ts';
import type { Page } from './output.ts';

const most = 1000;
const usual = 100;

/** Asks for a list's pages, as many as the options want. */
export async function* pagesOf<P extends Page<unknown>>(
  { limit, after, all }: ListOptions,
  ask: (place: { limit: number; after?: string }) => Promise<P>,
): AsyncGenerator<P> {
  let wanted = all ? Number.POSITIVE_INFINITY : (limit ?? usual);
  let cursor = after;
  while (wanted > 0) {
    const page = await ask({
      limit: Math.min(wanted, most),
      ...(cursor === undefined ? {} : { after: cursor }),
    });
    yield page;
    if (page.next === null) return;
    cursor = page.next;
    wanted -= page.rows.length;
  }
}

/** `100 of 12,345 webhooks; more with: --after …` */
export function pageFooter(what: string) {
  return (
    shown: number,
    first: Page<unknown> & { readonly total?: { readonly count: number; readonly exact: boolean } | null },
    next: string | null,
  ): string => {
    const { total } = first;
    const of = total ? ` of ${total.exact ? '' : 'more than '}${count(total.count)}` : '';
    const more = next === null ? '' : `; the next ones with: --after ${next}`;
    return `${count(shown)}${of} ${what}${more}`;
  };
}
