import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Comment } from '../../../src/contract/index.ts';
import { openWriterTestSite } from '../../backend/writer-test-site.ts';
import { run, runFailing, runJson, temporaryFolder } from '../run-tieout.ts';

test('a comment with files is added to a statement, listed, and its file saved', async () => {
  const bench = await openWriterTestSite({ subscriptions: 20, months: 2 });
  onTestFinished(() => bench.close());
  await bench.sync({ only: ['statements'] });
  const at = { home: bench.home, key: bench.sandbox.apiKey, keychain: false };
  const { rows } = await runJson<{ rows: { id: number }[] }>(['statements', 'list', '--limit', '1'], at);
  const record = `statement:${rows[0]?.id}`;
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'order.txt'), 'Order 17');
  writeFileSync(join(folder, 'answer.txt'), 'Yes');
  const files = ['--file', join(folder, 'order.txt'), '--file', join(folder, 'answer.txt')];
  const { comments } = await runJson<{ comments: Comment[] }>(
    ['comment', 'add', record, '--text', 'Agreed by email.', ...files],
    at,
  );
  expect(comments[0]?.files.map(({ name }) => name)).toEqual(['order.txt', 'answer.txt']);
  const listed = await run(['comment', 'list', record], at);
  expect(listed.stdout).toContain('Agreed by email.');
  const saved = join(folder, 'saved.txt');
  const save = ['comment', 'save-file', String(comments[0]?.id), '--number', '2', '-o', saved];
  await run(save, at);
  expect(readFileSync(saved, 'utf8')).toBe('Yes');
  expect(await runFailing(save, at, 2)).toMatchObject({ code: 'conflict' });
  expect(await runFailing(['comment', 'add', record], at, 2)).toMatchObject({ code: 'validation' });
  expect(await runFailing(['comment', 'list', 'invoice:4'], at, 2)).toMatchObject({ code: 'validation' });
  expect(await runFailing(['comment', 'list', 'period:4'], at, 2)).toMatchObject({ code: 'validation' });
});
