import { listSyncRuns } from '../../src/backend/store/sync/sync-status.ts';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { openWriterTestSite, SITE, type WriterTestSite } from '../backend/writer-test-site.ts';
import { printMeasurement } from './measure.ts';

/**
 * Compares the requests counted by the service with the minimum, calculated here from the service's data: N rows in pages
 * of P need floor(N / P) + 1 pages; n new rows need their pages and one known row; the statements of a subscription need
 * its list or single reads, whichever is fewer.
 */
const ROWS = 200;
const IDS = 10_000;
const HISTORY = 50;
const pages = (rows: number, perPage: number) => Math.floor(rows / perPage) + 1;

type Kind = 'webhooks' | 'statement ids' | 'statement bodies' | 'allocations' | 'PDFs';
type Counts = Partial<Record<Kind, number>>;

function getRequestCounts({ requests: { byKind } }: Sandbox): Record<Kind, number> {
  return {
    webhooks: byKind.webhooks ?? 0,
    'statement ids': byKind.statement_ids ?? 0,
    'statement bodies': (byKind.statements ?? 0) + (byKind.statement ?? 0),
    allocations: byKind.allocations ?? 0,
    PDFs: byKind.pdf ?? 0,
  };
}

/** Statements of the service by ID, with subscription and state, to determine later which changed. */
function getStatements({ truth }: Sandbox) {
  return new Map(
    [...truth.statements()].map((each) => [
      each['id'] as number,
      {
        owner: each['subscription_id'] as number,
        text: JSON.stringify(each),
        paid: each['closed_at'] !== null,
      },
    ]),
  );
}

/** Minimum number of requests for the bodies of these statements. */
function getMinimumBodies(sandbox: Sandbox, wanted: Iterable<number>): number {
  const all = getStatements(sandbox);
  const owners = new Map<number, { wanted: number; has: number }>();
  for (const { owner } of all.values()) {
    const counts = owners.get(owner) ?? { wanted: 0, has: 0 };
    owners.set(owner, { ...counts, has: counts.has + 1 });
  }
  for (const id of wanted) {
    const counts = owners.get(all.get(id)?.owner ?? -1);
    if (counts !== undefined) counts.wanted++;
  }
  return [...owners.values()].reduce(
    (sum, each) => sum + Math.min(each.wanted, Math.ceil(each.has / ROWS)),
    0,
  );
}

function getMinimumOfFirstSync(sandbox: Sandbox): Counts {
  const { truth } = sandbox;
  const statements = getStatements(sandbox);
  return {
    webhooks: pages(truth.counts().webhooks, ROWS),
    'statement ids': pages(statements.size, IDS),
    'statement bodies': getMinimumBodies(sandbox, statements.keys()),
    allocations: [...truth.components()].reduce(
      (sum, component) => sum + pages(truth.allocations(component).length, HISTORY),
      0,
    ),
  };
}

function reportRequests(run: string, made: Counts, least: Counts): void {
  for (const [kind, baseline] of Object.entries(least)) {
    const value = made[kind as Kind] ?? 0;
    const name = `sync requests: ${kind}, ${run}`;
    printMeasurement({ name, value, unit: 'requests', baseline, ratio: value / baseline, n: 1, spread: 0 });
  }
}

/** Runs a sync that must be complete. Returns the number of requests. */
async function run(bench: WriterTestSite, only?: 'pdf'): Promise<Record<Kind, number> & { told: number }> {
  bench.sandbox.requests.reset();
  await bench.sync(only === undefined ? {} : { only: [only] });
  const [last] = listSyncRuns(bench.cache(), 1);
  if (last?.complete !== true) throw new Error(`The sync of ${SITE} is not complete.`);
  if (last.requests.total !== bench.sandbox.requests.total) throw new Error('Requests were not counted.');
  return { ...getRequestCounts(bench.sandbox), told: last.requests.minimum };
}

export async function measureSyncRequests(): Promise<void> {
  const bench = await openWriterTestSite({ subscriptions: 200, months: 8, webhooks: 8000 });
  const { sandbox } = bench;
  try {
    const first = await run(bench);
    reportRequests('first sync', first, getMinimumOfFirstSync(sandbox));

    // The newest page, the IDs, and the last page of failed webhooks.
    const again = await run(bench);
    const total = again.webhooks + again['statement ids'] + again['statement bodies'] + again.allocations;
    const nothing = {
      name: 'sync requests: nothing changed',
      unit: 'requests',
      baseline: 3,
      n: 1,
      spread: 0,
    };
    printMeasurement({ ...nothing, value: total, ratio: total / 3 });

    const before = getStatements(sandbox);
    const known = sandbox.truth.counts().webhooks;
    sandbox.advance({ days: 9 });
    await sandbox.idle();
    const changed = [...getStatements(sandbox)].filter(([id, { text }]) => before.get(id)?.text !== text);
    const arrived = sandbox.truth.counts().webhooks - known;
    const failed = sandbox.truth.counts().failed_webhooks;
    const later = await run(bench);
    reportRequests('nine days later', later, {
      // New rows with one known row, and the failed ones to their end.
      webhooks: Math.ceil((arrived + 1) / ROWS) + pages(failed, ROWS),
      'statement ids': 1,
      'statement bodies': getMinimumBodies(
        sandbox,
        changed.map(([id]) => id),
      ),
    });

    const { PDFs } = await run(bench, 'pdf');
    const closed = [...getStatements(sandbox).values()].filter(({ paid }) => paid).length;
    reportRequests('all closed statements', { PDFs }, { PDFs: closed });
    const { PDFs: none } = await run(bench, 'pdf');
    if (none > 0) throw new Error('PDFs that are held were fetched again.');
  } finally {
    await bench.close();
  }
}
