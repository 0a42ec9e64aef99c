import { useEffect } from 'react';
import type { Unsearched } from '../../contract/index.ts';
import { useClient, useQuery } from '../backend/hooks.ts';
import { words } from '../words/words.ts';

const text = words.filters.unread;

/** Whose words a list is searched by. */
const parts = {
  webhooks: ['webhooks'],
  statements: ['statements', 'pdfs'],
} as const satisfies Record<string, readonly (keyof Unsearched)[]>;

/**
 * Of a list that is searched by words, while not all of them are read: what may be missing from it. Null otherwise. They are read
 * then, also where nothing else has the site worked on, as offline behind a sync that was cut off.
 */
export function useUnread(site: string, list: keyof typeof parts, search: string | undefined): string | null {
  const client = useClient();
  const { data } = useQuery('search.unsearched', search === undefined ? null : { site });
  const unread = data && search !== undefined ? parts[list].filter((part) => data[part] > 0) : [];
  const lacks = unread.length > 0;
  useEffect(() => {
    // Where it cannot be done, it stays said that not all are read.
    if (lacks) client.search.catchUp({ site, of: list }).catch(() => undefined);
  }, [client, site, list, lacks]);
  return data && lacks ? text.all(unread.map((part) => text[part](data[part]))) : null;
}
