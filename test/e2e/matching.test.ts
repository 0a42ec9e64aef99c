import { mkdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { Client } from '../../src/contract/index.ts';
import { bankFiles, startSandbox } from '../../src/sandbox/index.ts';
import { inWindow } from './running.ts';
import { windowOf } from './window.ts';

async function ended(client: Client, site: string, job: string): Promise<void> {
  for await (const state of await client.jobs.watch({ site, job })) {
    if (state.error) throw new Error(state.error.message);
  }
}

async function bring(client: Client, site: string, file: { name: string; text: string }, account: string) {
  const data = Buffer.from(file.text).toString('base64');
  const { upload } = await client.bank.upload({ site, name: file.name, data });
  const kind = account === 'Stripe' ? 'processor' : 'bank';
  const { plan } = await client.bank.plan({ site, upload, account: { name: account, kind } });
  await ended(client, site, (await client.bank.import({ site, plan })).job);
}

/**
 * The month's bank statement and payout report are matched: what is certain is confirmed by itself; the rest is decided by a key each,
 * taken back, and put together by hand, until a difference is explained.
 */
test('match, confirm, decline, take back, match by hand with a difference, write off', async () => {
  const sandbox = await startSandbox({ subscriptions: 40, months: 3, seed: 5 });
  onTestFinished(() => sandbox.close());
  await inWindow({ demo: false }, async ({ page, app, complaints }) => {
    const { client } = app.host;
    const { site } = await client.sites.add({
      title: 'Acme',
      base_url: sandbox.url,
      api_key: sandbox.apiKey,
    });
    await ended(client, site, (await client.sync.start({ site, only: ['statements'] })).job);
    const files = bankFiles(sandbox.truth, { seed: 5, month: '2026-10' });
    await bring(client, site, files.statement, 'Main account');
    await bring(client, site, files.payouts, 'Stripe');
    await page.reload();

    const pictures = new URL('../../out/screens/matching/', import.meta.url);
    mkdirSync(pictures, { recursive: true });
    const shot = (name: string) => page.screenshot({ path: new URL(`${name}.png`, pictures).pathname });
    const window = windowOf(page);
    await window.go('Matching');
    await page.getByRole('heading', { name: 'Nothing was matched yet' }).waitFor();
    await page.keyboard.press('Shift+M');
    await page.getByText(/^The last run confirmed/).waitFor();
    const after = await client.match.summary({ site });
    const count = (status: string) =>
      after.groups.filter((group) => group.status === status).reduce((sum, group) => sum + group.count, 0);
    expect(count('confirmed')).toBeGreaterThan(0);
    const waiting = count('suggested') + count('ambiguous');
    await expect.poll(() => window.count('Matches')).toBe(waiting);
    await shot('review');

    await window.button('Remove filter Status').click();
    await window.choose('Status', /^Confirmed/);
    await expect.poll(() => window.count('Matches')).toBe(count('confirmed'));
    await window.rows('Matches').first().click();
    const detail = window.detail(/^Match \d+$/);
    await detail.getByRole('region', { name: 'Why these belong together' }).waitFor();
    await shot('confirmed');
    await page.keyboard.press('u');
    await expect.poll(() => window.count('Matches')).toBe(count('confirmed') - 1);

    await page.keyboard.press('h');
    await page.getByRole('heading', { name: 'Open bank lines' }).waitFor();
    await expect.poll(() => window.count('Open bank lines')).toBeGreaterThan(0);
    await window.rows('Open bank lines').first().getByRole('gridcell').first().click();
    await window.rows('Open payments').first().getByRole('gridcell').first().click();
    await page.getByText('1 line and 1 payment picked').waitFor();
    await shot('hand');
    const even = await page.getByRole('textbox', { name: 'Put the difference down to' }).isHidden();
    if (!even) {
      await page.getByRole('textbox', { name: 'Put the difference down to' }).fill('fee');
      await page.getByRole('textbox', { name: 'Why', exact: true }).fill('Kept by the bank.');
    }
    await window.button('Match these').click();
    await page.getByText('Matched.').first().waitFor();
    const made = await client.match.list({ site, filter: { rule: ['manual'] } });
    expect(made.rows).toMatchObject([{ status: 'confirmed', line_count: 1, transaction_count: 1 }]);
    await window.button('Undo').click();
    await expect
      .poll(async () => (await client.match.get({ site, id: made.rows[0]!.id })).status)
      .toBe('undone');
    expect(complaints).toEqual([]);
  });
}, 180_000);
