import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { extractPdfText } from '../../../src/backend/archive/pdf-text.ts';
import { PAGE_BREAK } from '../../../src/domain/text-search/index.ts';
import { measureProcessTime } from '../../measure-process-time.ts';
import { hostilePdfs } from '../../pdfs/hostile.ts';
import { manyPages, onePage, stream } from '../../pdfs/write.ts';

test('the text of a PDF is extracted page by page', async () => {
  expect(await extractPdfText(manyPages(['First page', 'Second page']))).toBe(
    `${PAGE_BREAK}First page\n${PAGE_BREAK}Second page`,
  );
});

test('malicious files give their text or none, and neither crash nor block the thread', async () => {
  for (const { name, bytes, expected } of await hostilePdfs('http://127.0.0.1:9')) {
    let words: string | undefined;
    const took = await measureProcessTime(async () => {
      words = await extractPdfText(bytes, 60_000);
    });
    expect([name, took < 5_000]).toEqual([name, true]);
    if (typeof expected === 'object') expect([name, words]).toEqual([name, `${PAGE_BREAK}${expected.text}`]);
    else if (expected !== 'shown' && expected !== 'either') expect([name, words]).toEqual([name, '']);
  }
});

test('a file that expands endlessly is abandoned without blocking this thread, and the next one is read', async () => {
  const blank = deflateSync(Buffer.alloc(300_000_000, 32), { level: 1 });
  const bomb = onePage('x', { content: stream('/Filter /FlateDecode', blank) });
  const begun = process.threadCpuUsage();
  const [given, after] = await Promise.all([
    extractPdfText(bomb, 1_000),
    extractPdfText(manyPages(['Still read']), 60_000),
  ]);
  expect(given).toBe('');
  expect(after).toBe(`${PAGE_BREAK}Still read`);
  const { user, system } = process.threadCpuUsage(begun);
  expect((user + system) / 1000).toBeLessThan(500);
});
