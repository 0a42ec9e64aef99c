import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { checkSite, readSiteRows, type SiteRows } from './bent-records/bent-site.ts';
import { bentKinds } from './bent-records/kinds.ts';
import { createPick, NoPositionError } from './bent-records/pick.ts';

/** Seed of the site in which errors are bent. `bent-records/report.ts` uses many. */
const SEED = 7002;

const sandbox = await startSandbox({ seed: SEED, subscriptions: 40, outage: false });
const clean = readSiteRows(sandbox);
await sandbox.close();

/** Returns a copy of the site with one error; null if the site has no position for it. */
function bendOnce(kind: (typeof bentKinds)[number], seed: number): SiteRows | null {
  const rows = structuredClone(clean);
  try {
    kind.bend(rows, createPick(seed));
    return rows;
  } catch (error) {
    if (error instanceof NoPositionError) return null;
    throw error;
  }
}

describe('a bent record', () => {
  test('exists in at least 60 kinds', () => {
    expect(new Set(bentKinds.map(({ name }) => name)).size).toBeGreaterThanOrEqual(60);
  });

  for (const [at, kind] of bentKinds.entries())
    test(`${kind.name}: one exception${kind.limit === undefined ? '' : ` (limit: ${kind.limit})`}`, (context) => {
      const rows = bendOnce(kind, SEED + at);
      if (rows === null) return context.skip();
      const found = checkSite(rows);
      const messages = found.map(({ rule, message }) => `${rule}: ${message}`).join('\n');
      if (kind.limit === undefined) expect(found, messages).toHaveLength(1);
      else expect(found.length, messages).toBeLessThanOrEqual(2);
    });
});
