import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { putIntoArchive } from '../pdfs/archive.ts';
import { hostilePdfs, PASSWORD } from '../pdfs/hostile.ts';
import { bookOfThree } from '../pdfs/write.ts';
import { findAccessibilityProblems } from './accessibility-problems.ts';
import { type OpenWindow, openAppWindow } from './app-window.ts';
import { createWindowDriver } from './window-driver.ts';

/** Records the object URLs that the page creates and the files that it prints. */
async function watchPrinting(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const made = new Map<string, Blob>();
    const printed: string[] = [];
    const make = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (blob: Blob) => {
      const address = make(blob);
      made.set(address, blob);
      return address;
    };
    Object.assign(window, { made, printed });
    const open = window.open.bind(window);
    window.open = (address, ...rest) => {
      const opened = open(address, ...rest);
      opened?.addEventListener('load', () => {
        Object.assign(opened, { print: () => printed.push(String(address)) });
      });
      return opened;
    };
  });
  await page.reload();
  return () =>
    page.evaluate(async () => {
      const { made, printed } = window as unknown as { made: Map<string, Blob>; printed: string[] };
      return await Promise.all(
        printed.map(async (address) => {
          const bytes = await made.get(address)?.arrayBuffer();
          const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes ?? new ArrayBuffer(0)));
          return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
        }),
      );
    });
}

const pdf = (page: Page) => {
  const viewer = page.getByRole('region', { name: 'Statement PDF' });
  return {
    viewer,
    text: (text: string | RegExp) => viewer.locator('.textLayer').getByText(text).first(),
    find: viewer.getByRole('searchbox', { name: 'Find in PDFs' }),
    count: viewer.locator('.pdf-count'),
    of: (id: number | undefined) => viewer.getByRole('document', { name: `statement-${id}.pdf` }),
    selected: viewer.locator('.textLayer .highlight.selected'),
    tool: (name: string) => viewer.getByRole('button', { name, exact: true }),
  };
};

const copyText = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

/** Opens the address of a statement's PDF. */
const openPdf = (page: Page, id: number) =>
  page.evaluate((hash) => {
    location.hash = hash;
  }, `#/demo/statements/${id}?tab.statement=pdf`);

const item = (page: Page) => Number(/\/(\d+)(?:\?|$)/.exec(page.url())?.[1]);

/** Searches for a customer's statements whose PDFs are archived and indexed. */
async function openCustomer({ app, page }: OpenWindow): Promise<number[]> {
  const window = createWindowDriver(page);
  await window.freshness(/^Synced/).waitFor();
  const { client } = app.host;
  const closed = { site: 'demo', filter: { state: ['unpaid' as const, 'paid' as const] } };
  const search = (await client.statements.list({ ...closed, limit: 1 })).rows[0]?.customer_name ?? '';
  const list = { site: 'demo', filter: { ...closed.filter, search } };
  const listed = () => client.statements.list({ ...list, limit: 100 });
  // Indexing continues after the sync.
  await expect.poll(async () => (await client.search.unsearched({ site: 'demo' })).statements).toBe(0);
  const { rows } = await listed();
  expect(rows.length).toBeGreaterThan(2);
  await client.archive.fetch(list);
  await expect
    .poll(
      async () => (await client.statements.find({ ...list, words: 'ending bal', limit: 100 })).rows.length,
    )
    .toBe(rows.length);
  await window.go('Statements');
  await page.getByRole('searchbox', { name: /^Search customers/ }).fill(search);
  return rows.map(({ id }) => id);
}

test('finds text across statements, prints archived PDFs and withstands malicious files', async () => {
  await openAppWindow({ permissions: ['clipboard-read', 'clipboard-write'] }, async (inside) => {
    const { app, page, pageErrors } = inside;
    const printed = await watchPrinting(page);
    const window = createWindowDriver(page);
    const [first, second, third] = await openCustomer(inside);

    await window.row('Statements', String(first)).click();
    await readStatement(page);
    await window.tab('PDF').click();
    const at = pdf(page);
    await at.text('Ending balance').waitFor();
    await at.of(first).focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    await expect.poll(() => copyText(page)).toMatch(/^Harbor Analytics.*Ending balance/s);
    await page.keyboard.press('Shift+F');
    await at.find.fill('ending balance');
    await expect.poll(() => at.count.textContent()).toBe('1 / 1');
    await at.selected.waitFor();

    // Enter and F3 open the next matching statement, Shift+F3 the previous one.
    await page.keyboard.press('Enter');
    await at.of(second).waitFor();
    await at.selected.waitFor();
    await page.keyboard.press('F3');
    await at.of(third).waitFor();
    await at.selected.waitFor();
    await page.keyboard.press('Shift+F3');
    await at.of(second).waitFor();
    await expect.poll(() => item(page)).toBe(second);
    await expect.poll(() => at.count.textContent()).toBe('1 / 1');

    // Matches in other statements are listed and open their passage.
    await at.tool('List matches').click();
    await at.viewer
      .getByRole('region', { name: `Statement ${third}` })
      .getByRole('button')
      .first()
      .click();
    await at.of(third).waitFor();
    await at.selected.waitFor();
    expect(await findAccessibilityProblems(page)).toEqual([]);

    await page.keyboard.press('Control+p');
    const archived = await app.host.client.statements.pdf({ site: 'demo', id: third ?? 0 });
    await expect.poll(printed).toEqual(archived.stored ? [archived.sha256] : []);
    await page.bringToFront();

    await turnPages(inside, first ?? 0, second ?? 0);
    await openHostile(inside, first ?? 0);
    expect(pageErrors).toEqual([]);
  });
});

/** Sorts and copies a statement's transactions and compares it with the previous statement. */
async function readStatement(page: Page): Promise<void> {
  const lines = page.getByRole('region', { name: 'Transactions, table' });
  await lines.getByRole('button', { name: /^Amount/ }).click();
  await lines.focus();
  await page.keyboard.press('Control+c');
  await expect.poll(() => copyText(page)).toContain('\t');
  const [titles, ...rows] = (await copyText(page)).split('\n').map((row) => row.split('\t'));
  expect(titles).toEqual(['Date', 'Type', 'Memo', 'Amount (USD)', 'Balance']);
  expect([rows[0]?.[0], rows.at(-1)?.[0]]).toEqual(['Opening balance', 'Closing balance']);
  const amounts = rows.slice(1, -1).map((row) => Number(row[3]));
  expect(amounts).toEqual([...amounts].sort((a, b) => a - b));

  await page.keyboard.press('c');
  const compareFigures = page.getByRole('region', { name: 'Statement comparison' });
  await compareFigures.getByRole('row', { name: /^Closing balance/ }).waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('c');
  await compareFigures.waitFor({ state: 'detached' });
}

/**
 * Checks thumbnails, outline, rotation and the saved position. A fax image is decoded within the page's content security
 * policy.
 */
async function turnPages({ app, page }: OpenWindow, book: number, other: number): Promise<void> {
  putIntoArchive(app.host.home, new Map([[book, bookOfThree()]]));
  const at = pdf(page);
  const open = (id: number) => openPdf(page, id);
  await open(book);
  await at.text('Chapter one').waitFor();
  await at.viewer.getByRole('tab', { name: 'Outline' }).click();
  await at.tool('To the third').click();
  const field = at.viewer.getByRole('textbox', { name: 'Page', exact: true });
  await expect.poll(() => field.inputValue()).toBe('3');
  const middle = () =>
    at.viewer.locator('.page[data-page-number="3"] canvas').evaluate((canvas: HTMLCanvasElement) => {
      const { width, height } = canvas;
      return canvas.getContext('2d')?.getImageData(width * 0.48, height * 0.6, 1, 1).data[0];
    });
  await expect.poll(middle).toBe(0);
  await at.viewer.getByRole('tab', { name: 'Pages' }).click();
  const small = at.viewer.getByRole('listbox', { name: 'Pages' });
  await small.focus();
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => field.inputValue()).toBe('2');
  await expect.poll(() => small.getByRole('option').count()).toBe(3);
  await page.keyboard.press('Shift+r');
  const portraitSize = () =>
    at.viewer
      .locator('.page')
      .first()
      .evaluate(({ clientWidth, clientHeight }) => clientWidth < clientHeight);
  await expect.poll(portraitSize).toBe(false);
  const kept = async () =>
    (await app.host.client.settings.all({}))['pdf.places'] as [string, { page: number }][];
  await expect.poll(async () => (await kept())[0]?.[1].page).toBe(2);
  await open(other);
  await at.of(other).waitFor();
  await open(book);
  await at.of(book).waitFor();
  await expect.poll(() => field.inputValue()).toBe('2');
  await expect.poll(portraitSize).toBe(false);
}

/** Opens each malicious file as the PDF of a statement and clicks all its links. */
async function openHostile({ app, page }: OpenWindow, open: number): Promise<void> {
  const asked: string[] = [];
  const canary = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end();
  });
  await once(canary.listen(0, '127.0.0.1'), 'listening');
  const files = await hostilePdfs(`http://127.0.0.1:${(canary.address() as AddressInfo).port}`);
  const { rows } = await app.host.client.statements.list({
    site: 'demo',
    filter: { state: ['paid'] },
    limit: files.length + 1,
  });
  const others = rows.filter(({ id }) => id !== open);
  const placed = files.map((file, index) => ({ ...file, id: others[index]?.id ?? 0 }));
  putIntoArchive(app.host.home, new Map(placed.map(({ id, bytes }) => [id, bytes])));
  const pages = page.context().pages().length;
  const at = pdf(page);
  for (const { id, expected } of placed) {
    await openPdf(page, id);
    // The region names the statement, so the previous statement cannot match.
    const refused = page
      .getByRole('region', { name: `Statement ${id}`, exact: true })
      .getByRole('heading', { name: 'This PDF cannot be displayed' });
    const drawn = at.of(id).locator('.page[data-loaded] canvas').first();
    if (typeof expected === 'object') await at.text(expected.text).waitFor();
    else if (expected === 'shown') await drawn.waitFor();
    else if (expected === 'unreadable') await refused.waitFor();
    else if (expected === 'either') await refused.or(drawn).waitFor();
    else {
      await page.getByLabel('Password').fill('wrong');
      await page.keyboard.press('Enter');
      await page.getByText('The password is incorrect.').waitFor();
      await page.getByLabel('Password').fill(PASSWORD);
      await page.keyboard.press('Enter');
      await at.text('Harmless protected').waitFor();
    }
    for (const link of await at.viewer.locator('.annotationLayer a').all()) await link.click();
  }
  canary.close();
  expect(asked).toEqual([]);
  expect(page.context().pages()).toHaveLength(pages);
}
