import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWriterTestSite, SITE, type WriterTestSite } from '../writer-test-site.ts';

let bench: WriterTestSite;
beforeAll(async () => {
  bench = await openWriterTestSite({ subscriptions: 2, months: 1 });
});
afterAll(() => bench.close());

test.each(['toString', '2026-02-31', '../evil.zip', './a', 'C:relative', '/tmp/a\0b.zip', '\0', ' /tmp/a'])(
  'the path %j is refused and nothing is written to the current folder',
  async (path) => {
    const before = readdirSync('.');
    const period = '2026-10';
    const calls = [
      () => bench.client.packs.write({ site: SITE, period, path, replace: true }),
      () => bench.client.backups.make({ site: SITE, path, replace: true }),
      () =>
        bench.client.archive.plan({
          site: SITE,
          selection: { filter: {} },
          target: { kind: 'folder', path },
          replace: true,
        }),
    ];
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject({
        code: 'validation',
        message: expect.stringContaining('must be an absolute path'),
      });
    }
    expect(readdirSync('.')).toEqual(before);
  },
);
