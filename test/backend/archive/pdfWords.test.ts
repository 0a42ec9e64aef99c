import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { wordsOf } from '../../../src/backend/archive/pdfWords.ts';
import { PAGE_MARK } from '../../../src/domain/documents/index.ts';
import { hostilePdfs } from '../../pdfs/hostile.ts';
import { manyPages, onePage, stream } from '../../pdfs/write.ts';

test('the words of a PDF are drawn page by page', async () => {
  expect(await wordsOf(manyPages(['First page', 'Second page']))).toBe(
    `${PAGE_MARK}First page\n${PAGE_MARK}Second page`,
  );
});

test('files made to harm are read for their words, or give none; none ends or holds up the thread', async () => {
  for (const { name, bytes, expected } of await hostilePdfs('http://127.0.0.1:9')) {
    const before = performance.now();
    const words = await wordsOf(bytes);
    expect([name, performance.now() - before < 5_000]).toEqual([name, true]);
    if (typeof expected === 'object') expect([name, words]).toEqual([name, `${PAGE_MARK}${expected.text}`]);
    else if (expected !== 'shown' && expected !== 'either') expect([name, words]).toEqual([name, '']);
  }
});

test('a file that unfolds without end is given up, while this thread goes on, and the next one is read', {
  timeout: 30_000,
}, async () => {
  const blank = deflateSync(Buffer.alloc(300_000_000, 32), { level: 1 });
  const bomb = onePage('x', { content: stream('/Filter /FlateDecode', blank) });
  let beats = 0;
  const beating = setInterval(() => {
    beats += 1;
  }, 20);
  const [given, after] = await Promise.all([wordsOf(bomb, 1_000), wordsOf(manyPages(['Still read']))]);
  clearInterval(beating);
  expect(given).toBe('');
  expect(after).toBe(`${PAGE_MARK}Still read`);
  expect(beats).toBeGreaterThan(20);
});
