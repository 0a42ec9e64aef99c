import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTemporaryFolder } from '../host/test-host.ts';
import { openAppWindow } from './app-window.ts';
import { createWindowDriver } from './window-driver.ts';

/**
 * The main workflow of a new user on the demo site: sync, find webhooks that were not accepted, replay one, and read a
 * PDF.
 * Afterwards the service goes offline and the data is still available.
 */
test('syncs, filters, replays, reads a statement and its PDF, and works offline', async () => {
  const home = join(createTemporaryFolder(), 'home');
  await openAppWindow({ home }, async ({ page, app, pageErrors }) => {
    const window = createWindowDriver(page);

    await window.freshness(/^Synced/).waitFor();
    await window.go('Webhooks');
    await expect.poll(() => window.count('Webhooks')).toBeGreaterThan(900);

    await window.choose('Status', /^Not accepted/);
    // The list is empty while it loads.
    await expect.poll(() => window.count('Webhooks')).toSatisfy((count: number) => count > 20 && count < 100);
    const failed = await window.count('Webhooks');

    const first = window.rows('Webhooks').first();
    await expect.poll(() => first.textContent()).toContain('Failed');
    await first.click();
    await page.getByText(/^Webhook \d+$/).waitFor();
    await page.getByRole('rowheader', { name: 'payload.subscription.id' }).waitFor();

    await window.button('Replay…').click();
    await window.button('Replay 1 on Demo').click();
    await page.getByRole('heading', { name: 'All webhooks accepted' }).waitFor();
    await window.row('Webhooks in this replay', 'Accepted').waitFor();

    // The replayed webhook is accepted and no longer listed.
    await page.goBack();
    await expect.poll(() => window.count('Webhooks')).toBe(failed - 1);
    await page.getByRole('region', { name: 'Replays' }).getByText('Accepted').waitFor();

    await window.go('Statements');
    await window.choose('Status', /^Paid/);
    await expect.poll(() => window.rows('Statements').first().textContent()).toContain('Paid');
    await window.rows('Statements').first().click();
    await window.tab('PDF').waitFor();
    const customer = (await page.getByRole('heading', { level: 2 }).first().textContent()) ?? '';
    await window.tab('PDF').click();
    const pages = page.getByRole('region', { name: 'PDF' });
    await pages.getByText('Ending balance').waitFor();
    expect(await pages.textContent()).toContain(customer);

    await app.host.demo?.close();
    await window.button('Sync now').click();
    await window.freshness(/offline/).waitFor();

    await page.reload();
    await window.freshness(/offline/).waitFor();
    await window.tab('PDF').click();
    await pages.getByText('Ending balance').waitFor();
    await window.go('Webhooks');
    await expect.poll(() => window.count('Webhooks')).toBeGreaterThan(0);
    await window.go('Allocations');
    await expect.poll(() => window.count('Subscription components')).toBeGreaterThan(50);

    expect(pageErrors).toEqual([]);
  });
});
