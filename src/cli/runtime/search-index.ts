import type { UnindexedRecordCounts } from '../../contract/app/search.ts';
import { createProgressDisplay } from '../output/progress-display.ts';
import type { SiteContext } from './cli-command.ts';

/** Kinds of records to index before a search, by list. */
const parts = {
  webhooks: ['webhooks'],
  statements: ['statements', 'pdfs'],
} as const satisfies Record<string, readonly (keyof UnindexedRecordCounts)[]>;

const progressLabels = {
  webhooks: 'webhooks indexed',
  statements: 'statements indexed',
  pdfs: 'PDFs indexed',
};

/**
 * Indexes the text of all stored records and shows the progress, until indexing is done or Ctrl-C is pressed. Must be
 * called before a search, because records of an earlier sync may not be indexed yet. Filters without search text need
 * no index.
 */
export async function updateSearchIndex(
  { client, site, output, interrupt: { signal } }: SiteContext,
  of: keyof typeof parts,
  filter?: { readonly search?: string | undefined },
): Promise<void> {
  if (filter !== undefined && filter.search === undefined) return;
  let remaining = await client.search.unsearched({ site });
  const totals = { ...remaining };
  const hasRemaining = () => parts[of].some((part) => remaining[part] > 0);
  if (!hasRemaining()) return;
  const display = createProgressDisplay(output.quiet);
  try {
    while (!signal.aborted) {
      remaining = await client.search.catchUp({ site, of }, { signal });
      if (!hasRemaining()) return;
      for (const part of parts[of]) totals[part] = Math.max(totals[part], remaining[part]);
      const progress = parts[of].filter((part) => totals[part] > 0).map(toProgress);
      display.show({ state: 'running', rate: null, remaining_ms: null, progress });
    }
  } finally {
    display.end();
  }

  function toProgress(part: keyof UnindexedRecordCounts) {
    const [done, total] = [totals[part] - remaining[part], totals[part]];
    return { part: progressLabels[part], done, total, failed: 0, current: null };
  }
}
