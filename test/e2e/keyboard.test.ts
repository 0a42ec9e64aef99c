import { expect, test } from 'vitest';
import { openAppWindow } from './app-window.ts';
import { createWindowDriver } from './window-driver.ts';

const expectWithin = (least: number, most: number) => (count: number) => count >= least && count <= most;

/** These tests use only the keyboard. */
test('finds and selects webhooks, starting from the command palette', async () => {
  await openAppWindow({}, async ({ page }) => {
    const window = createWindowDriver(page);
    const { keyboard } = page;
    await window.freshness(/^Synced/).waitFor();

    await keyboard.press('Control+K');
    await page.getByRole('dialog').getByRole('searchbox').waitFor();
    // While a person types, the search lists records that contain only the first letters.
    await keyboard.type('not accepted', { delay: 120 });
    await keyboard.press('Enter');
    // The list is empty while it loads, so keys have no effect yet.
    await expect.poll(() => window.count('Webhooks')).toSatisfy(expectWithin(3, 99));
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
    await expect.poll(() => window.count('Webhooks')).toSatisfy(expectWithin(1, 9));

    await keyboard.press('?');
    // In the search field, the key is text.
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});

test('plans a replay of the active row, never of the entire log', async () => {
  await openAppWindow({}, async ({ page }) => {
    const window = createWindowDriver(page);
    const { keyboard } = page;
    const planned = page.getByRole('dialog');
    await window.freshness(/^Synced/).waitFor();
    await keyboard.press('g');
    await keyboard.press('f');
    await window.rows('Outages').first().waitFor();
    const inOutages = () => window.grid('Outages').evaluate((grid) => grid === document.activeElement);
    await expect.poll(inOutages).toBe(true);

    // Nothing is selected yet.
    await keyboard.press('r');
    await page
      .getByRole('region', { name: 'Notifications' })
      .getByText('Select an outage or a time range first')
      .waitFor();
    expect(await planned.count()).toBe(0);

    // R immediately after the arrow key acts on the new active row.
    await keyboard.press('ArrowDown');
    await keyboard.press('r');
    const [, lost] = /\n(\d+)\n/.exec(await window.rows('Outages').first().innerText()) ?? [];
    await planned.getByText(`${lost} webhooks of Demo`).waitFor();
    await keyboard.press('Escape');
    await planned.waitFor({ state: 'hidden' });
    // The dialog restores the focus one frame after it closes.
    await expect.poll(inOutages).toBe(true);

    // In the list of errors, R plans the webhooks of the active error.
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
