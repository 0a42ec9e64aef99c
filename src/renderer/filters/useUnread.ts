import type { Unsearched } from '../../contract/index.ts';
import { useQuery } from '../backend/hooks.ts';
import { words } from '../words/words.ts';

const text = words.filters.unread;

/** Whose words a list is searched by. */
const parts = {
  webhooks: ['webhooks'],
  statements: ['statements', 'pdfs'],
} as const satisfies Record<string, readonly (keyof Unsearched)[]>;

/** Of a list that is searched by words, while not all of them are read: what may be missing from it. Null otherwise. */
export function useUnread(site: string, list: keyof typeof parts, search: string | undefined): string | null {
  const { data } = useQuery('search.unsearched', search === undefined ? null : { site });
  if (!data || search === undefined) return null;
  const unread = parts[list].filter((part) => data[part] > 0);
  return unread.length === 0 ? null : text.all(unread.map((part) => text[part](data[part])));
}
