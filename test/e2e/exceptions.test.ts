import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import type { BackendClient } from '../../src/contract/index.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { openAppWindow } from './app-window.ts';
import { createWindowDriver } from './window-driver.ts';

/**
 * Reviews the demo site: the webhooks of the outage are exceptions. One is inspected, accepted with a reason, found again
 * and reopened. Then the history of its subscription is opened and the audit log is verified.
 */
test('reviews, accepts and reopens an exception from the overview, and verifies the audit log', async () => {
  await openAppWindow({}, async ({ page, app, pageErrors }) => {
    const window = createWindowDriver(page);
    await window.freshness(/^Synced/).waitFor();
    const { delivery } = await app.host.client.webhooks.facets({ site: 'demo' });
    const lost = delivery.failed + delivery.pending;

    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Show all time' }).click();
    await page.getByRole('heading', { name: `${lost} open exceptions` }).waitFor();
    await page.getByRole('region', { name: 'Next steps' }).getByRole('button', { name: 'Replay…' }).waitFor();
    await page.getByRole('link', { name: 'Webhook never accepted' }).click();
    await expect.poll(() => window.count('Exceptions')).toBe(lost);

    await window.rows('Exceptions').first().click();
    const detail = window.detail(/^Exception \d+$/);
    const figures = detail.getByRole('region', { name: 'Calculation' });
    expect(await figures.getByRole('row').last().textContent()).toMatch(/Payment not received\d+\.\d\d/);
    await detail.getByRole('region', { name: 'What this means' }).getByText('replay the webhook').waitFor();
    const behind = detail.getByRole('region', { name: 'Supporting records' }).getByRole('button');
    const webhook = /Webhook (\d+)/.exec((await behind.first().textContent()) ?? '')?.[1];
    await page.keyboard.press('1');
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    await window.detail(`Webhook ${webhook}`).waitFor();
    await page.goBack();
    await detail.waitFor();

    const reason = 'Posted by hand from the bank statement.';
    await window.button('Accept…').click();
    await window.dialog('Accept 1 exception').getByRole('textbox').fill(reason);
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => window.count('Exceptions')).toBe(lost - 1);
    // The next exception that is still open is shown.
    await detail.getByText('Open', { exact: true }).waitFor();

    await window.button('Remove filter Status').click();
    await window.choose('Status', /^Accepted/);
    await expect.poll(() => window.count('Exceptions')).toBe(1);
    await window.rows('Exceptions').first().click();
    await detail.getByRole('region', { name: 'History' }).getByText(reason).waitFor();
    await detail.getByRole('button', { name: 'Reopen…' }).click();
    await window.dialog('Reopen 1 exception').getByRole('textbox').fill('The bank has no such payment.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('No exception matches').waitFor();
    await window.button('Clear filter').click();
    await expect.poll(() => window.count('Exceptions')).toBe(lost);

    await window.rows('Exceptions').first().click();
    await detail.getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Subscriptions', level: 1 }).waitFor();
    const activity = window.detail(/^Subscription \d+$/);
    await activity.getByRole('img', { name: /^Balance over time/ }).waitFor();
    await window.row('Subscription activity', 'First stored statement').waitFor();
    await activity.getByRole('button', { name: /^Exceptions/ }).click();
    await window.rows('Subscription activity').first().click();
    await window
      .detail(/^Exception \d+$/)
      .getByText('Webhook never accepted')
      .first()
      .waitFor();

    await window.go('Audit log');
    await window.button('Verify').click();
    await page.getByText('The audit log is intact').waitFor();
    await window.row('Audit log', reason).waitFor();
    await keepWorkingMonth(page, app.host.client);
    expect(pageErrors).toEqual([]);
  });
});

/** After the replay that the overview suggests, the month stays chosen and the result states only what was checked. */
async function keepWorkingMonth(page: Page, client: BackendClient): Promise<void> {
  const window = createWindowDriver(page);
  const site = 'demo';
  const chosen = async (month: string) => {
    await page.getByRole('button', { name: `Period: ${month}` }).waitFor();
    await page.getByRole('region', { name: `Close ${month}` }).waitFor();
  };
  await window.go('Overview');
  await page.getByRole('button', { name: 'Period: All time' }).click();
  await page.getByRole('menuitem', { name: /^October 2026/ }).click();
  await chosen('October 2026');
  const { plan } = await client.replay.plan({ site, selection: { filter: { status: 'failed' } } });
  const { job: replay } = await client.replay.run({ site, plan });
  for await (const { state } of await client.jobs.watch({ site, job: replay })) if (state === 'done') break;
  const { job: check } = await client.check.start({ site });
  for await (const { state } of await client.jobs.watch({ site, job: check })) if (state === 'done') break;
  await page.getByRole('heading', { name: 'No open exceptions in October 2026' }).waitFor();
  await page.getByText('No bank or processor lines of October 2026 have been imported').waitFor();
  await chosen('October 2026');
  await page.keyboard.press('[');
  await chosen('September 2026');
  await page.reload();
  await chosen('September 2026');
  await window.go('Periods');
  await window.button('Open September 2026').waitFor();
}

/**
 * Month end of a site with errors in its records: the overview opens on the due month, exceptions are handled by rule
 * with the keyboard, one by one and in bulk, decisions are undone, and a rule is switched off and on.
 */
test('month end: opens rows of exceptions, accepts in bulk, undoes, assigns, switches a rule off and on, and replays', async () => {
  const faults = 'plant.arithmetic=2,plant.duplicate_payment=1,plant.allocation_chain=1';
  const sandbox = await startSandbox({ seed: 9, subscriptions: 50, faults });
  onTestFinished(() => sandbox.close());
  await openAppWindow({ demo: false }, async ({ page, app, pageErrors }) => {
    const window = createWindowDriver(page);
    const { client } = app.host;
    const site = 'harbor';
    const { url, apiKey } = sandbox;
    // The window would start a site's first sync automatically.
    await page.goto('about:blank');
    await client.sites.add({ title: 'Harbor', site, base_url: url, api_key: apiKey });
    const { job } = await client.sync.start({ site });
    for await (const { state } of await client.jobs.watch({ site, job })) if (state === 'done') break;
    await page.goto(app.url);

    // The sandbox's clock is in November, so October is over and contains the outage.
    const { due, months } = await client.check.months({ site });
    expect(due).toBe('2026-10');
    const open = months.find(({ period }) => period === due)?.open;
    await page.getByRole('heading', { name: `${open} open exceptions in October 2026` }).waitFor();
    const step = page.getByRole('region', { name: 'Next steps' });
    await step.getByText(/webhooks? never reached your accounting system/).waitFor();

    // Every rule with findings opens its exceptions, and one key press opens the rows of an exception.
    await page.getByRole('link', { name: 'Show all time' }).click();
    const { by_rule } = await client.check.summary({ site });
    expect(by_rule.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining([
        'statement-foots',
        'duplicate-payment',
        'allocation-chain',
        'webhook-not-accepted',
      ]),
    );
    for (const { title, open, rule } of by_rule) {
      await page
        .getByRole('region', { name: 'Exceptions by rule' })
        .getByRole('link', { name: title })
        .click();
      await expect.poll(() => window.count('Exceptions')).toBe(open);
      await window.rows('Exceptions').first().click();
      const detail = window.detail(/^Exception \d+$/);
      await detail.getByRole('heading', { name: title }).waitFor();
      const { explanation } = (await client.check.rules({ site })).find((each) => each.rule === rule)!;
      await detail.getByRole('region', { name: 'What this means' }).getByText(explanation).waitFor();
      const first = detail.getByRole('region', { name: 'Supporting records' }).getByRole('button').first();
      const kind = ((await first.textContent()) ?? '').trim().split(' ')[0] ?? '';
      await page.keyboard.press('1');
      const home = { Webhook: 'Webhooks', Allocation: 'Allocations' }[kind] ?? 'Statements';
      await page.getByRole('heading', { name: home, level: 1 }).waitFor();
      await window.go('Overview');
    }

    // Accepts all exceptions of a rule together and undoes this.
    await page.getByRole('link', { name: 'Webhook never accepted' }).click();
    const lost = by_rule.find(({ rule }) => rule === 'webhook-not-accepted')!.open;
    await expect.poll(() => window.count('Exceptions')).toBe(lost);
    await window.rows('Exceptions').first().click();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+A');
    await page.keyboard.press('a');
    const accept = window.dialog(`Accept ${lost} exceptions`);
    expect(await accept.getByRole('button', { name: `Accept ${lost}` }).getAttribute('aria-disabled')).toBe(
      'true',
    );
    await accept.getByRole('textbox').fill('Entered from the gateway’s report of the 3rd.');
    await page.keyboard.press('Control+Enter');
    await page.getByText(`${lost} exceptions accepted.`).first().waitFor();
    // Press it immediately, because the notification disappears.
    await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).click();
    await page.getByText(`${lost} exceptions reopened.`).first().waitFor();
    await expect.poll(() => window.count('Exceptions')).toBe(lost);
    const found = await client.exceptions.list({ site, filter: { rule: ['webhook-not-accepted'] } });
    for (const { id } of found.rows) {
      const { history } = await client.exceptions.get({ site, id });
      expect(history.map(({ action: what }) => what).slice(-2)).toEqual(['accepted', 'reopened']);
    }

    // Assigns an exception with a comment. The undo key takes the assignment back.
    await window.rows('Exceptions').first().click();
    const detail = window.detail(/^Exception \d+$/);
    await page.keyboard.press('m');
    await window.dialog('Assign 1 exception').getByRole('textbox').fill('Ada');
    await page.keyboard.press('Enter');
    await detail.getByText('Assigned to Ada', { exact: true }).waitFor();
    await page.keyboard.press('z');
    await detail.getByText('Not assigned', { exact: true }).waitFor();
    await page.keyboard.press('c');
    await window.dialog('Comment on 1 exception').getByRole('textbox').fill('Asked the bank.');
    await page.keyboard.press('Control+Enter');
    await detail.getByRole('region', { name: 'Comments and files' }).getByText('Asked the bank.').waitFor();
    await detail.getByRole('button', { name: 'Replay…' }).click();
    await page.getByRole('dialog').getByRole('heading').first().waitFor();
    await page.keyboard.press('Escape');

    // Switches a rule off with a reason, which closes its exceptions. Switching it on restores them.
    const rule = 'Quantity changed without an allocation';
    await window.go('Rules');
    const toggle = page.getByRole('switch', { name: `Check rule: ${rule}` });
    const item = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: rule }) });
    for (const [turn, told] of [
      ['off', 'Quantities are changed by hand here.'],
      ['on', 'Not any more.'],
    ] as const) {
      await toggle.focus();
      await page.keyboard.press('Space');
      expect(await page.evaluate(() => document.scrollingElement?.scrollTop)).toBe(0);
      await window.dialog(`Switch ${turn} “${rule}”`).getByRole('textbox').fill(told);
      await page.keyboard.press('Control+Enter');
      await item.getByText(turn === 'off' ? `“${told}”` : '1 open').waitFor();
      const status = turn === 'off' ? 'closed' : 'open';
      await expect
        .poll(
          async () =>
            (await client.exceptions.list({ site, filter: { rule: ['allocation-chain'] } })).rows[0]?.status,
        )
        .toBe(status);
    }

    // Opens the history of the exception's subscription.
    const { rows } = await client.exceptions.list({ site, filter: { rule: ['allocation-chain'] } });
    await window.go('Subscriptions');
    await page.goto(`${page.url().split('#')[0]}#/harbor/subscriptions/${rows[0]?.subject.subscription_id}`);
    const activity = window.detail(/^Subscription \d+$/);
    await activity.getByRole('img', { name: /^Balance over time/ }).waitFor();
    await activity.getByRole('tab').nth(1).click();
    await activity.getByRole('img', { name: /^Quantity of .* over time/ }).waitFor();
    await window.row('Subscription activity', 'Balance brought forward from statement').first().waitFor();
    await activity.getByRole('button', { name: /^Allocations/ }).click();
    await window
      .row('Subscription activity', 'previous quantity differs from the recorded quantity')
      .waitFor();

    await window.go('Audit log');
    await window.row('Audit log', 'Quantities are changed by hand here.').waitFor();
    await window.button('Verify').click();
    const { rows: entries } = await client.audit.list({ site });
    await page.getByRole('textbox', { name: 'Receipt you stored earlier' }).fill(entries.at(-1)?.hash ?? '');
    await page.keyboard.press('Enter');
    await page.getByText('The receipt proves that entries 1–1 are unchanged').waitFor();
    await page.getByRole('textbox', { name: 'Receipt you stored earlier' }).fill('0'.repeat(64));
    await page.keyboard.press('Enter');
    await page.getByText('matches no state of the log').waitFor();
    expect(pageErrors).toEqual([]);
  });
});
