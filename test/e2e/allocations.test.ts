import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { openAppWindow } from './app-window.ts';
import { createWindowDriver } from './window-driver.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SEATS = 277221;
/** Screenshots for people: `out/screens/<theme>/<name>.png`. */
const screenshotFolder = new URL('../../out/screens/', import.meta.url);

/** Returns the serious and critical violations that axe finds, with their elements. */
async function findProblems(page: Page, rules: object): Promise<string[]> {
  const { violations } = await page.evaluate<AxeResults>(
    `${axe}; axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...rules })})`,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

/** Returns the sandbox's subscriptions that have seats. */
function getSeatComponent(sandbox: Sandbox) {
  return [...sandbox.truth.components()]
    .filter(({ component_id }) => component_id === SEATS)
    .map((component) => ({
      ...component,
      quantity: Number(sandbox.truth.allocations(component)[0]?.['quantity'] ?? 0),
    }));
}

/**
 * Uses only the keyboard: changes a quantity, decides a change whose response was lost, and imports changes from a file.
 */
test('changes quantities by keyboard, in light and dark themes', async () => {
  const sandbox = await startSandbox({ seed: 3, subscriptions: 14, months: 4, outage: false });
  onTestFinished(() => sandbox.close());
  const size = { viewport: { width: 1440, height: 900 }, demo: false };
  await openAppWindow(size, async ({ page, app, pageErrors }) => {
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
    const problemsByView: Record<string, string[]> = {};
    const look = async (name: string) => {
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const folder = new URL(`${colorScheme}/`, screenshotFolder);
        mkdirSync(folder, { recursive: true });
        await page.screenshot({ path: new URL(`allocations-${name}.png`, folder).pathname });
        // A theme changes only the colors.
        const rules = colorScheme === 'dark' ? { runOnly: ['color-contrast'] } : {};
        const here = await findProblems(page, rules);
        if (here.length > 0) problemsByView[`${name}, ${colorScheme}`] = here;
      }
    };
    const press = async (name: string | RegExp) => {
      await window.button(name).press('Enter');
    };
    const [first, second, third] = getSeatComponent(sandbox) as [Seat, Seat, Seat];

    await window.go('Allocations');
    const open = async ({ subscription_id }: Seat) => {
      await page.evaluate(`location.hash = '#/${site}/allocations/${subscription_id}-${SEATS}'`);
      const opened = window.detail(`Component ${SEATS} of subscription ${subscription_id}`);
      await opened.getByText('Quantity over time').waitFor();
    };
    await open(first);
    await look('history');
    await page.keyboard.press('q');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`Current quantity: ${first.quantity}`).waitFor();
    await page.keyboard.type('lots');
    await page.keyboard.press('Enter');
    await dialog.getByText('Enter a component ID and a quantity').waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.type(String(first.quantity + 4));
    await look('change');
    await page.keyboard.press('Enter');
    const draft = window.detail(/^Draft: /);
    await draft.getByText('1 of 1 change ready to send: 1 upgrade, 0 downgrades.').waitFor();
    await look('draft');
    await press('Send…');
    const confirm = window.dialog('Send changes to Harbor?');
    await confirm
      .getByText(`subscription ${first.subscription_id}): ${first.quantity} → ${first.quantity + 4}`)
      .waitFor();
    await confirm
      .getByText('Upgrade, site default, unknown (latest change: ')
      .and(confirm.getByText('The service does not report the setting.'))
      .waitFor();
    expect(await confirm.textContent()).not.toMatch(/immediately|next renewal/);
    await look('send');
    expect(getSeatComponent(sandbox)[0]?.quantity).toBe(first.quantity);
    await press('Change 1 quantity on Harbor');
    await draft.getByText('Sent', { exact: true }).waitFor();
    await window.row('Changes in this draft', 'Applied').waitFor();
    expect(getSeatComponent(sandbox)[0]?.quantity).toBe(first.quantity + 4);
    await open(first);
    await window.row('Allocation history', '+4').first().click();
    await window
      .dialog(`Change to component ${SEATS}`)
      .getByText('The previous quantity matches the preceding entry.')
      .waitFor();
    await look('allocation');
    await page.keyboard.press('Escape');

    // The response is lost, and somebody else makes the same change with a different memo.
    await open(second);
    await page.keyboard.press('q');
    await dialog.getByText(`Current quantity: ${second.quantity}`).waitFor();
    await page.keyboard.type(String(second.quantity + 2));
    await dialog.getByRole('textbox', { name: 'Memo' }).fill('Mine');
    await page.keyboard.press('Enter');
    await draft.getByText('1 of 1 change ready to send').waitFor();
    sandbox.setFaults({ only: ['allocate'], stall_rate: 1, times: 1 });
    const asked = () => sandbox.requests.byKind.allocate ?? 0;
    const before = asked();
    await press('Send…');
    await press('Change 1 quantity on Harbor');
    await expect.poll(asked).toBeGreaterThan(before);
    await changeOutsideApp(sandbox, second, second.quantity + 2);
    await press('Stop');
    await draft
      .getByText('Interrupted')
      .or(draft.getByText('Canceled', { exact: true }))
      .first()
      .waitFor();
    await window.rows('Changes in this draft').first().click();
    await press('Check history again');
    await dialog.getByText('A new entry has the same quantity').first().waitFor();
    await look('undecided');
    await dialog.getByRole('textbox', { name: 'Evidence for your decision' }).fill('The memo is not ours.');
    await press('Mark as not applied');
    await dialog.waitFor({ state: 'hidden' });
    await window.row('Changes in this draft', 'Not applied').waitFor();
    await draft.getByText('Sent, partly applied').waitFor();

    // Several changes from a file.
    const file = join(app.host.home, 'changes.csv');
    const rows = [
      `${third.subscription_id},${SEATS},${third.quantity + 1},File`,
      `5,${SEATS},1,`,
      `${third.subscription_id},x,1,`,
    ];
    writeFileSync(file, `subscription_id,component_id,quantity,memo\n${rows.join('\n')}\n`);
    await press('Import changes…');
    const choosing = page.waitForEvent('filechooser');
    await press('Choose file…');
    await (await choosing).setFiles(file);
    await press('Preview');
    await draft.getByText('1 of 3 changes ready to send').waitFor();
    await press('Check with the service');
    await window.row('Changes in this draft', 'The service has no subscription 5.').waitFor();
    await window.row('Changes in this draft', 'component_id “x” is not a whole number').waitFor();
    await look('import');
    await press('Send…');
    await press('Change 1 quantity on Harbor');
    await draft.getByText('Sent', { exact: true }).waitFor();
    const saving = page.waitForEvent('download');
    await press('Report');
    await page.getByRole('menuitem', { name: 'Export as CSV' }).press('Enter');
    const saved = readFileSync(await (await saving).path(), 'utf8');
    const lines = parse<Record<string, string>>(saved, { columns: true });
    expect(lines.map(({ outcome, row }) => [outcome, row])).toEqual([
      ['applied', ''],
      ['not_sent', ''],
      ['not_sent', rows[2]],
    ]);
    await press('Back to components');
    await press('Allocation changes');
    await expect.poll(() => window.count('Drafts')).toBe(3);
    await look('drafts');
    expect(problemsByView).toEqual({});
    expect(pageErrors).toEqual([]);
  });
});

type Seat = ReturnType<typeof getSeatComponent>[number];

/** Makes a change directly at the service, as another user would. */
async function changeOutsideApp({ url, apiKey }: Sandbox, component: Seat, quantity: number): Promise<void> {
  const path = `${url}/subscriptions/${component.subscription_id}/components/${SEATS}/allocations.json`;
  const authorization = `Basic ${Buffer.from(`${apiKey}:x`).toString('base64')}`;
  const { status } = await fetch(path, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ allocation: { quantity } }),
  });
  expect(status).toBe(201);
}
