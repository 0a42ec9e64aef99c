import { useEffect } from 'react';
import type { UnindexedRecordCounts } from '../../contract/index.ts';
import { useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { texts } from '../texts/texts.ts';

const text = texts.filters.unsearched;

/** Parts of the search index that each list depends on. */
const searchedParts = {
  webhooks: ['webhooks'],
  statements: ['statements', 'pdfs'],
} as const satisfies Record<string, readonly (keyof UnindexedRecordCounts)[]>;

/**
 * Returns a notice that some records are not indexed yet and thus not searched, or null if all are indexed. Starts the
 * indexing, because an interrupted sync may have left records unindexed.
 */
export function useUnindexedRecordsNotice(
  site: string,
  list: keyof typeof searchedParts,
  search: string | undefined,
): string | null {
  const client = useContractClient();
  const { data } = useQuery('search.unsearched', search === undefined ? null : { site });
  const unsearched = data && search !== undefined ? searchedParts[list].filter((part) => data[part] > 0) : [];
  const isIncomplete = unsearched.length > 0;
  useEffect(() => {
    // Ignores errors. If indexing fails, the notice about unindexed records remains visible.
    if (isIncomplete) client.search.catchUp({ site, of: list }).catch(() => undefined);
  }, [client, site, list, isIncomplete]);
  return data && isIncomplete ? text.all(unsearched.map((part) => text[part](data[part]))) : null;
}
