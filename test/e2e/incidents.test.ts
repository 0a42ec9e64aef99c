import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { findAccessibilityProblems } from './accessibility-problems.ts';
import { openAppWindow } from './app-window.ts';
import { createWindowDriver } from './window-driver.ts';

test('describes, resolves and reopens an incident, and adds another from the errors', async () => {
  const sandbox = await startSandbox({ seed: 11, subscriptions: 50, months: 3 });
  onTestFinished(() => sandbox.close());
  await openAppWindow({ demo: false }, async ({ app, page, pageErrors }) => {
    const { client } = app.host;
    const { site } = await client.sites.add({
      title: 'Quay',
      site: 'quay',
      base_url: sandbox.url,
      api_key: sandbox.apiKey,
    });
    await page.reload();
    const window = createWindowDriver(page);
    await window.freshness(/^Synced/).waitFor();
    await window.go('Outages');
    await page.getByRole('radio', { name: 'Incidents' }).press('Space');
    await expect.poll(() => window.count('Incidents')).toBe(1);
    const problems = await findAccessibilityProblems(page);

    await window.rows('Incidents').first().waitFor();
    await window.grid('Incidents').focus();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const dialog = window.dialog('Incident 1');
    await dialog.getByText(/^0 of \d+ webhooks accepted\.$/).waitFor();
    await dialog.getByRole('textbox', { name: 'Owner' }).fill('Dana');
    await dialog.getByRole('textbox', { name: 'Cause' }).fill('The certificate expired.');
    await dialog.getByRole('button', { name: 'Acknowledge' }).click();
    await dialog.getByText(/Cause: The certificate expired\..*Dana/).waitFor();
    problems.push(...(await findAccessibilityProblems(page)));
    await dialog.getByRole('textbox', { name: 'Note or reason' }).fill('Booked manually.');
    await dialog.getByRole('button', { name: 'Resolve' }).click();
    await dialog.getByText('Resolved by a decision.').waitFor();
    await dialog.getByRole('textbox', { name: 'Note or reason' }).fill('One is missing.');
    await dialog.getByRole('button', { name: 'Reopen' }).click();
    await dialog.getByText('Reopened: One is missing.').waitFor();
    const [incident] = await client.incidents.list({ site });
    expect(incident).toMatchObject({ state: 'open', owner: 'Dana', cause: 'The certificate expired.' });
    const saved = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Save report' }).click();
    expect(readFileSync(await (await saved).path(), 'utf8')).toContain('Reopened: One is missing.');
    await dialog.getByRole('button', { name: 'Plan replay…' }).click();
    await window.dialog('Plan replay').getByText(`${incident?.webhooks} webhooks of Quay`).waitFor();
    await page.keyboard.press('Escape');

    await window.rows('Errors').first().waitFor();
    await window.grid('Errors').focus();
    await page.keyboard.press('j');
    await page.keyboard.press('i');
    await window.dialog('Incident 2').getByText('Error group').first().waitFor();
    expect(await client.incidents.get({ site, id: 2 })).toMatchObject({ kind: 'error_group', state: 'open' });
    expect(problems).toEqual([]);
    expect(pageErrors).toEqual([]);
  });
});
