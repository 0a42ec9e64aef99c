import { expect, test } from 'vitest';
import { inWindow } from './running.ts';
import { windowOf } from './window.ts';

const within = (least: number, most: number) => (count: number) => count >= least && count <= most;

/** The keyboard alone: nothing below touches the mouse. */
test('find, select and replay by keyboard, from the palette on', async () => {
  await inWindow({}, async ({ page }) => {
    const window = windowOf(page);
    const { keyboard } = page;
    await window.freshness(/^Synced/).waitFor();

    await keyboard.press('Control+K');
    await page.getByRole('dialog').getByRole('searchbox').waitFor();
    await keyboard.type('not accepted');
    await keyboard.press('Enter');
    // While the list is being read it holds nothing, and keys have nothing to act on.
    await expect.poll(() => window.count('Webhooks')).toSatisfy(within(3, 99));
    await window.rows('Webhooks').nth(2).waitFor();

    await window.grid('Webhooks').focus();
    await keyboard.press('Home');
    await keyboard.press('x');
    await keyboard.press('Shift+ArrowDown');
    await keyboard.press('Shift+ArrowDown');
    await page.getByText('3 selected').first().waitFor();
    await keyboard.press('Control+A');
    await page
      .getByText(/All \d+ matching/)
      .first()
      .waitFor();
    await keyboard.press('Escape');

    await keyboard.press('Control+F');
    await keyboard.type('execution expired');
    await expect.poll(() => window.count('Webhooks')).toSatisfy(within(1, 9));

    await keyboard.press('?');
    // Typed into the search field, it is text.
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});

test('outages by keys: what is planned is the row the keys are at, and never the whole log', async () => {
  await inWindow({}, async ({ page }) => {
    const window = windowOf(page);
    const { keyboard } = page;
    const planned = page.getByRole('dialog');
    await window.freshness(/^Synced/).waitFor();
    await keyboard.press('g');
    await keyboard.press('f');
    await window.rows('Outages').first().waitFor();
    const inOutages = () => window.grid('Outages').evaluate((grid) => grid === document.activeElement);
    await expect.poll(inOutages).toBe(true);

    // Nothing is chosen yet.
    await keyboard.press('r');
    await page
      .getByRole('region', { name: 'Notifications' })
      .getByText('Select an outage or a time range first')
      .waitFor();
    expect(await planned.count()).toBe(0);

    // The row the keys came to, with R right behind the arrow.
    await keyboard.press('ArrowDown');
    await keyboard.press('r');
    const [, lost] = /\n(\d+)\n/.exec(await window.rows('Outages').first().innerText()) ?? [];
    await planned.getByText(`${lost} webhooks of Demo`).waitFor();
    await keyboard.press('Escape');
    await planned.waitFor({ state: 'hidden' });
    // A dialog hands the focus back a frame after it went.
    await expect.poll(inOutages).toBe(true);

    // Among the errors, the webhooks with the one the keys came to.
    await keyboard.press('Escape');
    await window.grid('Errors').focus();
    await window.row('Errors', '404').waitFor();
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowDown');
    await keyboard.press('r');
    await planned.getByText('2 webhooks of Demo').waitFor();
    await planned.getByText('404 Resource Not Found').first().waitFor();
  });
});
