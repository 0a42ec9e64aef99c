import { expect, test } from 'vitest';
import { inWindow } from './running.ts';
import { windowOf } from './window.ts';

/**
 * An accountant's round on the demo site: the outage's webhooks are findings; one is looked into, accepted with a reason, found
 * again and reopened; then the story of its subscription, and the proof that the audit log is whole.
 */
test('overview, an exception with its figures and rows, accept, reopen, the story, the audit log', async () => {
  await inWindow({}, async ({ page, app, complaints }) => {
    const window = windowOf(page);
    await window.freshness(/^Synced/).waitFor();
    const { delivery } = await app.host.client.webhooks.facets({ site: 'demo' });
    const lost = delivery.failed + delivery.pending;

    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Show all time' }).click();
    await page.getByRole('heading', { name: `${lost} open exceptions` }).waitFor();
    await page
      .getByRole('region', { name: 'What to do next' })
      .getByRole('button', { name: 'Replay…' })
      .waitFor();
    await page.getByRole('link', { name: 'Webhook never accepted' }).click();
    await expect.poll(() => window.count('Exceptions')).toBe(lost);

    await window.rows('Exceptions').first().click();
    const detail = window.detail(/^Exception \d+$/);
    const figures = detail.getByRole('region', { name: 'The arithmetic' });
    expect(await figures.getByRole('row').last().textContent()).toMatch(/Payment not heard of\d+\.\d\d/);
    await detail.getByRole('region', { name: 'What this means' }).getByText('replay the webhook').waitFor();
    const behind = detail.getByRole('region', { name: 'The rows behind it' }).getByRole('button');
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
    // The work goes on with the next one, which nobody has decided about.
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
    const story = window.detail(/^Subscription \d+$/);
    await story.getByRole('img', { name: /^Balance over time/ }).waitFor();
    await window.row('Story of the subscription', 'The first one held').waitFor();
    await story.getByRole('button', { name: /^Exceptions/ }).click();
    await window.rows('Story of the subscription').first().click();
    await window
      .detail(/^Exception \d+$/)
      .getByText('Webhook never accepted')
      .first()
      .waitFor();

    await window.go('Audit log');
    await window.button('Verify').click();
    await page.getByText('The audit log is intact').waitFor();
    await window.row('Audit log', reason).waitFor();
    expect(complaints).toEqual([]);
  });
});
