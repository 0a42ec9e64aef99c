import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { findAccessibilityProblems } from './accessibility-problems.ts';
import { openAppWindow } from './app-window.ts';
import { createWindowDriver } from './window-driver.ts';

test('lists the missing webhooks of a gap, reads the events and exports the reconstructions', async () => {
  const faults = { endpoint_disabled: ['2026-09-22T00:00:00Z', '2026-10-02T00:00:00Z'] as const };
  const sandbox = await startSandbox({
    seed: 11,
    subscriptions: 40,
    months: 3,
    webhooks: 4000,
    outage: false,
    faults,
  });
  onTestFinished(() => sandbox.close());
  await openAppWindow({ demo: false }, async ({ app, page, pageErrors }) => {
    const { client } = app.host;
    await client.sites.add({ title: 'Quay', site: 'quay', base_url: sandbox.url, api_key: sandbox.apiKey });
    await page.reload();
    const window = createWindowDriver(page);
    await window.freshness(/^Synced/).waitFor();
    await window.go('Outages');
    await window.rows('Outages').first().waitFor();
    await window.grid('Outages').focus();
    await page.keyboard.press('j');
    await page.keyboard.press('m');
    const dialog = window.dialog('Missing webhooks');
    const expected = sandbox.truth.ungenerated().length.toLocaleString('en-US');
    // Usage and customer updates leave no record, so only the events show them.
    await dialog.getByText(/^\d+ webhooks missing/).waitFor();
    await dialog.getByText(/^Unknown: .*customer_update.*have not been read/).waitFor();
    const problems = await findAccessibilityProblems(page);
    await dialog.getByRole('button', { name: 'Read events' }).click();
    await dialog.getByText(/^Unknown/).waitFor({ state: 'detached' });
    await dialog.getByText(`${expected} webhooks missing.`).waitFor();
    const saved = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Export JSON' }).click();
    expect(readFileSync(await (await saved).path(), 'utf8')).toContain('"reconstructed":true');
    expect(problems).toEqual([]);
    expect(pageErrors).toEqual([]);
  });
});
