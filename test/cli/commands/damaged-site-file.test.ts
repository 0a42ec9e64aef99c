import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openWriterTestSite, SITE } from '../../backend/writer-test-site.ts';
import { runForDocument, runForError, runInProcess } from '../run-in-process.ts';

test.each([
  ['empty', ''],
  ['cut off', '{"site": "acme", "tit'],
  ['of the wrong kind', '[]'],
])(
  'a site.json that is %s is restored from the audit log, and status shows the site',
  async (_name, content) => {
    const site = await openWriterTestSite({ seed: 41, subscriptions: 1 });
    onTestFinished(() => site.close());
    const path = join(site.home, 'sites', SITE, 'site.json');
    writeFileSync(path, content);
    const { sites } = await runForDocument<{ sites: unknown[] }>(['status'], site);
    expect(sites).toMatchObject([{ site: SITE, title: 'Acme' }]);
    expect(readFileSync(`${path}.damaged`, 'utf8')).toBe(content);
  },
);

test('a site.json that cannot be restored is an error, not a home without sites', async () => {
  const site = await openWriterTestSite({ seed: 42, subscriptions: 1 });
  onTestFinished(() => site.close());
  writeFileSync(join(site.home, 'sites', SITE, 'site.json'), '{');
  for (const suffix of ['', '-wal', '-shm'])
    rmSync(join(site.home, 'sites', SITE, `books.db${suffix}`), { force: true });
  for (const command of [['status'], ['webhooks', 'list']])
    expect(await runForError(command, site, 5)).toMatchObject({
      code: 'corrupt',
      message: expect.stringContaining('site.json'),
    });
  expect(await runInProcess(['doctor', '--offline'], site)).toMatchObject({ code: 1 });
});
