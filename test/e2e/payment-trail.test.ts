import { mkdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findAccessibilityProblems } from './accessibility-problems.ts';
import { openAppWindow } from './app-window.ts';
import { matchDemoFiles } from './backend-actions.ts';
import { createWindowDriver } from './window-driver.ts';

const screenshotFolder = new URL('../../out/screens/payment-trail/', import.meta.url);

test('the trail of a payment is shown from its payout, and leads to its statement', async () => {
  mkdirSync(screenshotFolder, { recursive: true });
  await openAppWindow({}, async ({ app, page, pageErrors }) => {
    const window = createWindowDriver(page);
    await window.freshness(/^Synced/).waitFor();
    const { client } = app.host;
    const site = 'demo';
    await matchDemoFiles(client, app.host.home);
    const [payout] = (await client.match.payouts({ site, filter: { is: 'deposited' } })).rows;
    const { payments } = await client.match.trail({ site, from: { kind: 'payout', id: payout!.id } });
    expect(payments.length).toBeGreaterThan(1);

    await page.goto(`${page.url().split('#')[0]}#/demo/matching/payouts-${payout!.id}`);
    const panel = page.getByRole('region', { name: 'Trail of the payment' });
    await panel.getByRole('button', { name: 'Show trail' }).press('Enter');
    await panel.getByText(`Belongs to ${payments.length} payments`).click();
    await panel.getByRole('link', { name: `Payment ${payments[1]!.id}`, exact: true }).press('Enter');
    const statement = panel.getByRole('region', { name: 'Statement', exact: true });
    await statement.getByRole('link', { name: payments[1]!.customer_name! }).waitFor();
    await panel.getByRole('region', { name: 'Ledger lines' }).scrollIntoViewIfNeeded();
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await page.screenshot({ path: new URL('payout.png', screenshotFolder).pathname });
    await statement.getByRole('link').press('Enter');
    await page.getByRole('heading', { name: payments[1]!.customer_name! }).waitFor();
    expect(pageErrors).toEqual([]);
  });
});
