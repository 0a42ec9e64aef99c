import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openBankBench, SITE, standardCsv } from '../bank/bank-bench.ts';
import { SITE as CONNECTED_SITE, openWriterTestSite } from '../writer-test-site.ts';

test.each(['removed', 'replaced by an older copy'])(
  'books that are %s while the app runs are noticed at the next command, and no decision is lost',
  async (loss) => {
    const bench = await openBankBench();
    try {
      const books = join(bench.home, 'sites', SITE, 'books.db');
      await bench.import(standardCsv([['2026-05-06', '8.15', 'LASTSCHRIFT']]), { name: 'may.csv' });
      await bench.reopen();
      await bench.client.bank.accounts({ site: SITE });
      copyFileSync(books, join(bench.home, 'copy.db'));
      await bench.import(standardCsv([['2026-05-07', '9.15', 'LASTSCHRIFT']]), { name: 'later.csv' });

      if (loss === 'removed') rmSync(books);
      else renameSync(join(bench.home, 'copy.db'), books);
      const failure = await bench.client.backups.make({ site: SITE }).catch((error: unknown) => error);
      expect(failure).toMatchObject({
        code: 'corrupt',
        data: { hint: expect.stringMatching(/lacks 0 of \d+ .*-restore\.db$/) },
      });
      await expect(bench.client.bank.accounts({ site: SITE })).rejects.toMatchObject({ code: 'corrupt' });
    } finally {
      await bench.close();
    }
  },
);

test('books that disappear right after a site was added are noticed, even if the app was killed', async () => {
  const test = await openWriterTestSite({ seed: 5, subscriptions: 1 });
  try {
    const books = join(test.home, 'sites', CONNECTED_SITE, 'books.db');
    expect(existsSync(join(test.home, 'sites', CONNECTED_SITE, 'audit.json'))).toBe(true);
    for (const suffix of ['', '-wal', '-shm']) rmSync(books + suffix, { force: true });
    const second = test.openSecondWriter();
    await expect(second.client.backups.make({ site: CONNECTED_SITE })).rejects.toMatchObject({
      code: 'corrupt',
    });
    expect(existsSync(books)).toBe(false);
  } finally {
    await test.close();
  }
});
