import type { Client } from '../contract/contract.ts';
import type { Unsearched } from '../contract/search.ts';
import type { Cli } from './act.ts';
import { createProgress } from './progress.ts';

/** What is found by its words, and what of it may be waiting for them to be read. */
const parts = {
  webhooks: ['webhooks'],
  statements: ['statements', 'pdfs'],
} as const satisfies Record<string, readonly (keyof Unsearched)[]>;

const named = {
  webhooks: 'webhooks made searchable',
  statements: 'statements made searchable',
  pdfs: 'PDFs read',
};

interface ToBeSearched {
  readonly site: string;
  readonly of: keyof typeof parts;
  /** What is asked for next: nothing need be read for it where it has no words. */
  readonly filter?: { readonly search?: string | undefined };
}

/**
 * Has the words read of all that is held, and shows how far that is; Ctrl-C ends it. Before a search: what a sync has brought in
 * and nobody has read yet would be missing from what is found.
 */
export async function makeSearchable(
  cli: Cli,
  client: Client,
  { site, of, filter }: ToBeSearched,
): Promise<void> {
  if (filter !== undefined && filter.search === undefined) return;
  const { signal } = cli.stop;
  let left = await client.search.unsearched({ site });
  const most = { ...left };
  const waiting = () => parts[of].some((part) => left[part] > 0);
  if (!waiting()) return;
  const display = createProgress(cli.out.quiet);
  try {
    while (!signal.aborted) {
      left = await client.search.catchUp({ site, of }, { signal });
      if (!waiting()) return;
      for (const part of parts[of]) most[part] = Math.max(most[part], left[part]);
      const progress = parts[of].filter((part) => most[part] > 0).map(progressOf);
      display.show({ state: 'running', rate: null, remaining_ms: null, progress });
    }
  } finally {
    display.end();
  }

  function progressOf(part: keyof Unsearched) {
    const [done, total] = [most[part] - left[part], most[part]];
    return { part: named[part], done, total, estimated: false, failed: 0, current: null, waits: null };
  }
}
