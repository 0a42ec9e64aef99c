import { expect } from 'vitest';
import { openBackendReader } from '../../src/backend/open-backend-reader.ts';
import { type BackendClient, createBackendClient, type ScheduleLine } from '../../src/contract/index.ts';
import { createMemoryShell } from '../backend/memory-shell.ts';

const PAGE_SIZE = 20;

/**
 * Expects that the rows behind every figure of a month add up to it, and the lines of every sum too, as closed and as of
 * now. Returns the number of figures with rows.
 */
export async function countTracedFigures(home: string, site: string, period: string): Promise<number> {
  const reader = openBackendReader({
    home,
    version: 'test',
    shell: createMemoryShell(),
    log: () => undefined,
  });
  const client = createBackendClient({ reader: reader.link, writer: reader.link });
  try {
    let tracedCount = 0;
    for (const now of [false, true]) {
      const { sections } = await client.workpapers.get({ site, period, now });
      for (const { currency, schedules } of sections) {
        const lines = schedules.flatMap((schedule) => schedule.lines);
        for (const line of lines) {
          if (line.sum !== null)
            expect([line.id, addUpLines(line, lines)]).toEqual([line.id, line.amount_in_cents]);
          else expect([line.id, line.opens], 'a figure with rows opens').toEqual([line.id, line.count !== 0]);
          if (!line.opens) continue;
          const rows = await fetchAllRows(client, { site, period, now, currency, figure: line.id });
          const sum = rows.reduce((all, { amount_in_cents }) => all + amount_in_cents, 0);
          expect([line.id, rows.length, sum]).toEqual([line.id, line.count, line.amount_in_cents]);
          if (line.list?.list === 'statements') {
            const { rows: shown } = await client.statements.list({
              site,
              filter: line.list.filter,
              limit: 1000,
            });
            expect(shown.map(({ id }) => id).sort()).toEqual(rows.map(({ id }) => id).sort());
          }
          tracedCount++;
        }
      }
    }
    return tracedCount;
  } finally {
    await reader.close();
  }
}

/** Returns the sum of a line's figures. Another schedule omits a figure without rows, so a missing one is zero there. */
function addUpLines({ id, sum }: ScheduleLine, lines: readonly ScheduleLine[]): number {
  const toSchedule = (figure: string) => figure.split('.')[0];
  const amountOf = (figure: string) =>
    lines.find((line) => line.id === figure)?.amount_in_cents ??
    (toSchedule(figure) === toSchedule(id) ? Number.NaN : 0);
  const of = (ids: readonly string[] = []) => ids.reduce((all, each) => all + amountOf(each), 0);
  return of(sum?.plus) - of(sum?.minus);
}

async function fetchAllRows(
  client: BackendClient,
  figure: Omit<Parameters<BackendClient['workpapers']['rows']>[0], 'after'>,
) {
  const rows = [];
  for (let after: string | null | undefined; after !== null; ) {
    const page = await client.workpapers.rows({
      ...figure,
      limit: PAGE_SIZE,
      ...(after === undefined ? {} : { after }),
    });
    rows.push(...page.rows);
    after = page.next;
  }
  return rows;
}
