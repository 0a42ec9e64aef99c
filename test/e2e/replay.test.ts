import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { findAccessibilityProblems } from './accessibility-problems.ts';
import { type OpenWindow, openAppWindow } from './app-window.ts';
import { createWindowDriver } from './window-driver.ts';

/** Starts a site with one outage whose automatic retries by the service are over. */
async function site(): Promise<Sandbox> {
  const sandbox = await startSandbox({
    seed: 7,
    subscriptions: 60,
    months: 4,
    settings: { timeScale: 0.0001, queueDelay: 5 },
  });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

async function connectSite(sandbox: Sandbox, { app, page }: OpenWindow): Promise<void> {
  await app.host.client.sites.add({
    title: 'Harbor',
    site: 'harbor',
    base_url: sandbox.url,
    api_key: sandbox.apiKey,
  });
  await page.reload();
  await createWindowDriver(page)
    .freshness(/^Synced/)
    .waitFor();
}

/** Returns the number of webhooks shown for an outcome. */
async function readOutcome(page: Page, name: string): Promise<number> {
  const text = await page
    .getByRole('group', { name: 'Filter by outcome' })
    .or(page.getByRole('radiogroup', { name: 'Filter by outcome' }))
    .getByText(name, { exact: true })
    .locator('xpath=..')
    .textContent();
  return Number.parseInt((text ?? '').replace(/\D/g, ''), 10);
}

test('replays an outage by keyboard, and then its failures', async () => {
  const sandbox = await site();
  await openAppWindow({ demo: false }, async (opened) => {
    const { page, app, pageErrors } = opened;
    const window = createWindowDriver(page);
    await connectSite(sandbox, opened);
    const found: string[] = [];
    const look = async () => found.push(...(await findAccessibilityProblems(page)));

    // G F opens the outages. Page Down in the chart selects the first one.
    await page.keyboard.press('g');
    await page.keyboard.press('f');
    await page.getByRole('heading', { name: 'Outages', level: 1 }).waitFor();
    await expect.poll(() => window.count('Outages')).toBe(1);
    const plot = page.getByRole('slider', { name: /over time/ });
    await plot.focus();
    await page.keyboard.press('PageDown');
    const selection = page.getByRole('region', { name: 'Selected time range' });
    const told = selection.getByText(/(\d+) webhooks to .* were not accepted/);
    await told.waitFor();
    const lost = Number(/^\d+/.exec((await told.textContent()) ?? '')?.[0]);
    expect(lost).toBeGreaterThan(20);
    await page.keyboard.press('Enter');
    await expect.poll(() => window.count('Errors')).toBe(1);
    await look();
    await page.getByRole('radio', { name: 'Table' }).press('Space');
    await page.getByRole('columnheader', { name: 'Outage' }).waitFor();
    await look();

    // Enter filters the webhooks by an error.
    await window.rows('Errors').first().waitFor();
    await window.grid('Errors').focus();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    await expect.poll(() => window.count('Webhooks')).toBe(lost);
    await page.goBack();

    // The plan contains exactly these webhooks.
    await told.waitFor();
    await page.keyboard.press('r');
    const plan = window.dialog('Plan replay');
    await plan.getByText(`${lost} webhooks of Harbor`).waitFor();
    expect(await plan.getByRole('radio', { name: /^Adaptive/ }).isChecked()).toBe(true);
    await look();
    await plan.getByRole('tab', { name: /^Webhooks/ }).click();
    await expect.poll(() => window.count('Webhooks')).toBe(lost);
    await plan.getByRole('textbox', { name: 'Reason' }).fill('Books were down on 1 October.');

    // After the canary, the endpoint accepts most webhooks, but not all.
    const { rows } = await app.host.client.webhooks.list({
      site: 'harbor',
      filter: { status: 'failed' },
      limit: 200,
    });
    await plan.getByRole('button', { name: `Replay ${lost} on Harbor` }).click();
    await expect.poll(() => sandbox.accepted.size).toBeGreaterThan(0);
    const left = rows.filter(({ id }) => !sandbox.accepted.has(id));
    sandbox.setEndpoint({ refuses: left.filter((_, at) => at % 6 === 3).map(({ id }) => id) });
    const title = page.getByRole('heading', { name: /^\d+ of \d+ were not accepted$/ });
    await title.waitFor();
    const [failed, all] = ((await title.textContent()) ?? '').match(/\d+/g)?.map(Number) ?? [];
    expect(all).toBe(lost);
    const truth = lost - sandbox.accepted.size;
    expect(truth).toBeGreaterThan(0);
    expect(failed).toBe(truth);
    await expect.poll(() => readOutcome(page, 'Accepted')).toBe(lost - truth);
    await page.getByRole('region', { name: 'History' }).getByText('Books were down on 1 October.').waitFor();
    await look();

    // The counts filter the list, and the report is downloaded.
    await page.getByRole('radio', { name: /^Failed again/ }).click();
    await expect.poll(() => window.count('Webhooks in this replay')).toBe(truth);
    const saved = page.waitForEvent('download');
    await page.keyboard.press('e');
    const csv = readFileSync(await (await saved).path(), 'utf8');
    expect(csv.trim().split(/\r?\n/)).toHaveLength(lost + 1);

    // The failures form a new plan and are now accepted.
    sandbox.setEndpoint({});
    await page.keyboard.press('r');
    await plan.getByText(`${truth} webhooks of Harbor`).waitFor();
    await plan.getByRole('button', { name: `Replay ${truth} on Harbor` }).click();
    await page.getByRole('heading', { name: 'All webhooks accepted' }).waitFor();
    expect([...sandbox.accepted.values()].every((times) => times === 1)).toBe(true);
    expect(sandbox.accepted.size).toBe(lost);

    // Both replays are listed, and the outage is over.
    await page.keyboard.press('Escape');
    await expect.poll(() => window.count('Replays')).toBe(2);
    await window.go('Outages');
    await page.getByText('No outages', { exact: true }).waitFor();
    const jobs = await app.host.client.replay.list({ site: 'harbor' });
    expect(jobs.map(({ state }) => state)).toEqual(['done', 'done']);
    expect(found).toEqual([]);
    expect(pageErrors).toEqual([]);
  });
});

test('stops after the canary, is paused and canceled, and does not start offline', async () => {
  const sandbox = await site();
  await openAppWindow({ demo: false, colorScheme: 'dark' }, async (opened) => {
    const { page, pageErrors } = opened;
    const window = createWindowDriver(page);
    await connectSite(sandbox, opened);
    const found: string[] = [];

    sandbox.setEndpoint({ down: true });
    await window.go('Outages');
    await window.rows('Outages').first().click();
    await page.keyboard.press('r');
    const plan = window.dialog('Plan replay');
    await plan.getByRole('button', { name: /^Replay \d+ on Harbor$/ }).click();
    await page.getByRole('heading', { name: 'Stopped' }).waitFor();
    expect(new Set(sandbox.received.map(({ id }) => id)).size).toBe(1);
    found.push(...(await findAccessibilityProblems(page)));

    // The replay is resumed, paused by keyboard, and canceled after a warning about webhooks in flight.
    sandbox.setEndpoint({ delay: 1000 });
    await page.keyboard.press('p');
    await expect.poll(() => sandbox.accepted.size).toBeGreaterThan(0);
    // A slow endpoint leaves time to pause.
    sandbox.setEndpoint({ delay: 5000 });
    await expect.poll(() => readOutcome(page, 'Accepted')).toBeGreaterThan(0);
    await page.keyboard.press('p');
    await page.getByRole('heading', { name: 'Paused' }).waitFor();
    found.push(...(await findAccessibilityProblems(page)));
    await page.keyboard.press('c');
    const cancel = window.dialog('Cancel this replay?');
    await cancel.getByText(/cannot be recalled|No webhooks are in flight/).waitFor();
    found.push(...(await findAccessibilityProblems(page)));
    await cancel.getByRole('textbox', { name: 'Reason' }).fill('Done by hand.');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Canceled' }).waitFor();
    const sent = sandbox.received.length;

    // Offline, a replay can be planned but not started.
    await sandbox.close();
    await window.button('Sync now').click();
    await window.freshness(/offline/).waitFor();
    await window.go('Webhooks');
    await expect.poll(() => window.count('Webhooks')).toBeGreaterThan(0);
    await page.keyboard.press('Shift+R');
    await plan.getByText('Sending is not possible now.').waitFor();
    const start = plan.getByRole('button', { name: /^Replay [\d,]+ on Harbor$/ });
    expect(await start.getAttribute('aria-disabled')).toBe('true');
    found.push(...(await findAccessibilityProblems(page)));
    expect(sandbox.received).toHaveLength(sent);
    expect(found).toEqual([]);
    expect(pageErrors).toEqual([]);
  });
});
