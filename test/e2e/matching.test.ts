import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import type { BackendClient, Payment } from '../../src/contract/index.ts';
import { createMonthlyBankFiles, startSandbox } from '../../src/sandbox/index.ts';
import { findAccessibilityProblems } from './accessibility-problems.ts';
import { openAppWindow } from './app-window.ts';
import { importFile, waitForJob } from './backend-actions.ts';
import { createWindowDriver } from './window-driver.ts';

interface MatchingTest {
  readonly page: Page;
  readonly client: BackendClient;
  readonly site: string;
  readonly window: ReturnType<typeof createWindowDriver>;
  /** Saves a screenshot and expects no accessibility violations. */
  takeScreenshot(name: string): Promise<void>;
}

const decimal = (cents: number) => (cents / 100).toFixed(2);

/** Lines that no rule matches: long after the payments, or two equal lines for one payment. */
function createUnmatchedLines([short, one, two, twin]: readonly Payment[]): string {
  if (!short || !one || !two || !twin) throw new Error('The site has too few payments.');
  const half = one.amount_in_cents + Math.floor(two.amount_in_cents / 2);
  return [
    'date,amount,currency,description,reference',
    `2026-10-30,${decimal(short.amount_in_cents - 150)},USD,SHORT TRANSFER,`,
    `2026-10-30,${decimal(half)},USD,TRANSFER FOR TWO,`,
    `${twin.paid_on},${decimal(twin.amount_in_cents)},USD,FIRST ALIKE,`,
    `${twin.paid_on},${decimal(twin.amount_in_cents)},USD,SECOND ALIKE,`,
    '2026-10-30,-4.50,USD,QUARTERLY ACCOUNT FEE,',
    '',
  ].join('\n');
}

/**
 * Matches the month's bank statement and payout report. Certain matches are confirmed automatically. The others are
 * decided by keyboard, undone, matched manually with a difference, divided and written off. Every decision can be undone.
 */
test('confirms, declines, writes off, divides and undoes matches, tests rules before saving them, and reconciles payouts', async () => {
  const sandbox = await startSandbox({ subscriptions: 40, months: 3, seed: 5 });
  onTestFinished(() => sandbox.close());
  await openAppWindow({ demo: false }, async ({ page, app, pageErrors }) => {
    const { client } = app.host;
    // The window would start a site's first sync automatically.
    await page.goto('about:blank');
    const { site } = await client.sites.add({
      title: 'Acme',
      base_url: sandbox.url,
      api_key: sandbox.apiKey,
    });
    await waitForJob(client, site, (await client.sync.start({ site, only: ['statements'] })).job);
    const files = createMonthlyBankFiles(sandbox.truth, { seed: 5, month: '2026-10' });
    await importFile(client, site, files.statement, 'Main account');
    await importFile(client, site, files.payouts, 'Stripe');
    const early = await client.match.payments({
      site,
      filter: { kind: ['payment'], until: '2026-09-15', min_in_cents: 1000 },
    });
    const payments = early.rows.slice(-4);
    await importFile(client, site, { name: 'odd.csv', text: createUnmatchedLines(payments) }, 'Savings');
    await page.goto(app.url);

    const screenshotFolder = new URL('../../out/screens/matching/', import.meta.url);
    mkdirSync(screenshotFolder, { recursive: true });
    const visit: MatchingTest = {
      page,
      client,
      site,
      window: createWindowDriver(page),
      async takeScreenshot(name) {
        await page.screenshot({ path: new URL(`${name}.png`, screenshotFolder).pathname });
        expect(await findAccessibilityProblems(page), name).toEqual([]);
      },
    };
    await visit.window.go('Matching');
    await page.getByRole('heading', { name: 'Nothing matched yet' }).waitFor();
    await decideByKeys(visit);
    await matchByHand(visit, payments);
    await openFigure(visit);
    await writeRules(visit);
    await followPayout(visit);
    expect(pageErrors).toEqual([]);
  });
});

async function partOf(page: Page, name: string): Promise<void> {
  await page.getByRole('radiogroup', { name: 'Matching view' }).getByText(name).click();
}

async function decideByKeys({ page, client, site, window, takeScreenshot }: MatchingTest): Promise<void> {
  const groups = async (...status: ('confirmed' | 'suggested' | 'ambiguous' | 'declined')[]) =>
    (await client.match.list({ site, filter: { status }, limit: 200 })).rows;
  await page.keyboard.press('Shift+M');
  await page.getByText(/^Last run: \d+ confirmed/).waitFor();
  const confirmed = (await groups('confirmed')).length;
  expect(confirmed).toBeGreaterThan(1);
  await expect.poll(() => window.count('Matches')).toBe((await groups('suggested', 'ambiguous')).length);

  // The next run suggests a match that a user undid, but does not confirm it.
  await window.button('Remove filter Status').click();
  await window.choose('Status', /^Confirmed/);
  await expect.poll(() => window.count('Matches')).toBe(confirmed);
  await window.rows('Matches').first().click();
  const detail = window.detail(/^Match \d+$/);
  await detail.getByRole('region', { name: 'Evidence for the match' }).waitFor();
  await takeScreenshot('confirmed');
  await page.keyboard.press('u');
  await expect.poll(() => window.count('Matches')).toBe(confirmed - 1);
  const [, run] = [await page.keyboard.press('Shift+M'), await client.match.runs({ site })];
  await expect
    .poll(async () => (await client.match.runs({ site })).rows.filter(({ state }) => state === 'done').length)
    .toBe(Math.max(2, run.rows.length));

  await window.button('Remove filter Status').click();
  await window.choose('Status', /^Suggested/);
  const suggestions = await groups('suggested');
  const [suggested] = suggestions;
  if (!suggested) throw new Error('What was taken back is not suggested again.');
  await expect.poll(() => window.count('Matches')).toBe(suggestions.length);
  await page.keyboard.press(']');
  await detail.getByRole('button', { name: 'Confirm' }).waitFor();
  await takeScreenshot('suggested');
  await page.keyboard.press('a');
  const readStatus = async (id: number) => (await client.match.get({ site, id })).status;
  await expect.poll(() => readStatus(suggested.id)).toBe('confirmed');

  // Other matches still need a review.
  await expect.poll(() => window.count('Matches')).toBe(suggestions.length - 1);

  await window.button('Remove filter Status').click();
  await window.choose('Status', /^Ambiguous/);
  const ambiguous = await groups('ambiguous');
  await expect.poll(() => window.count('Matches')).toBe(ambiguous.length);
  // Searching by the contents of a match filters the list. Enter moves the focus into the list.
  await page.keyboard.press('/');
  await page.keyboard.type('first ALIKE');
  await page.keyboard.press('Enter');
  await expect.poll(() => window.count('Matches')).toBe(1);
  await page.keyboard.press(']');
  const first = ambiguous.find(({ bank_lines }) => bank_lines[0]?.description === 'FIRST ALIKE');
  if (!first) throw new Error('Two lines alike for one payment are not ambiguous.');
  const items = detail.getByRole('region', { name: /^Items of the same amount/ });
  await items.waitFor();
  const listed = await items.getByRole('listitem').count();
  await items.getByRole('heading', { name: `Items of the same amount (${listed})` }).waitFor();
  // A match without a payment cannot be confirmed, neither by a button nor by its key.
  expect(await detail.getByRole('button', { name: 'Confirm' }).count()).toBe(0);
  await window.grid('Matches').focus();
  await page.keyboard.press('a');
  expect(await readStatus(first.id)).toBe('ambiguous');
  await detail.getByRole('textbox', { name: 'Comment' }).fill('Asked the bank.');
  await page.keyboard.press('Control+Enter');
  await detail.getByText('Asked the bank.').waitFor();
  await takeScreenshot('ambiguous');
  await window.grid('Matches').focus();
  await page.keyboard.press('d');
  await expect.poll(() => readStatus(first.id)).toBe('declined');
  await page
    .getByText(/^1 match declined/)
    .first()
    .waitFor();
  await page.keyboard.press('z');
  await expect.poll(() => readStatus(first.id)).not.toBe('declined');

  // When nothing is left to review, one button shows the confirmed matches.
  const ids = (await groups('suggested', 'ambiguous')).map(({ id }) => id);
  await client.match.decline({ site, ids });
  await page.getByRole('searchbox', { name: /^Search descriptions/ }).fill('');
  await page.getByRole('heading', { name: 'Nothing to review' }).waitFor();
  await takeScreenshot('reviewed');
  await window.button(`Show ${confirmed} confirmed matches`).click();
  await expect.poll(() => window.count('Matches')).toBe(confirmed);
}

async function matchByHand(
  { page, client, site, window, takeScreenshot }: MatchingTest,
  payments: readonly Payment[],
) {
  const [short, one, two] = payments as [Payment, Payment, Payment];
  await page.keyboard.press('h');
  await page.getByRole('heading', { name: 'Unmatched bank lines' }).waitFor();
  const pick = async (list: string, text: string) => {
    const label = list === 'Unmatched payments' ? 'Search payments' : 'Search bank lines';
    await page.getByRole('searchbox', { name: label }).fill(text);
    await expect.poll(() => window.rows(list).count()).toBe(1);
    await window.row(list, text).getByRole('gridcell').first().click();
  };
  const manual = async () => (await client.match.list({ site, filter: { rule: ['manual'] } })).rows;

  await pick('Unmatched bank lines', 'SHORT TRANSFER');
  await pick('Unmatched payments', String(short.statement_id));
  await page.getByText('1 line and 1 payment selected').waitFor();
  await page.getByText('Difference \u2212$1.50').waitFor();
  await page.getByRole('textbox', { name: 'Assign difference to' }).fill('fee');
  await page.getByRole('textbox', { name: 'Reason', exact: true }).fill('Kept by the bank.');
  await takeScreenshot('manual');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Match created.').first().waitFor();
  const [made] = await manual();
  expect(made).toMatchObject({
    status: 'confirmed',
    adjustments: [{ category: 'fee', amount_in_cents: -150, reason: 'Kept by the bank.' }],
  });
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect.poll(async () => (await client.match.get({ site, id: made!.id })).status).toBe('undone');

  await pick('Unmatched bank lines', 'TRANSFER FOR TWO');
  await pick('Unmatched payments', String(one.statement_id));
  await page.getByRole('searchbox', { name: 'Search payments' }).fill(String(two.statement_id));
  await window.row('Unmatched payments', String(two.statement_id)).getByRole('gridcell').first().click();
  await page.getByText('1 line and 2 payments selected').waitFor();
  await window.button('Split…').click();
  const split = window.dialog('Match partial amounts');
  const half = Math.floor(two.amount_in_cents / 2);
  const parts = split.getByRole('textbox', { name: /^Allocated amount of/ });
  await expect.poll(() => parts.nth(2).inputValue()).toBe(decimal(half));
  // An amount larger than the payment is rejected before it is sent.
  await parts.nth(2).fill(decimal(two.amount_in_cents + 1));
  await split.getByText('Too large').waitFor();
  expect(await split.getByRole('button', { name: 'Match', exact: true }).getAttribute('aria-disabled')).toBe(
    'true',
  );
  await parts.nth(2).fill(decimal(half));
  await takeScreenshot('split');
  await page.keyboard.press('Enter');
  await split.waitFor({ state: 'hidden' });
  await expect
    .poll(async () => (await manual()).filter(({ status }) => status === 'confirmed').length)
    .toBe(1);
  expect(await client.match.getPayment({ site, id: two.id })).toMatchObject({
    state: 'partial',
    claimed_in_cents: half,
  });

  const whole = (await manual()).find(({ status }) => status === 'confirmed')!;
  await page.evaluate((id) => {
    location.hash = location.hash.replace(/matching.*$/, `matching/${id}`);
  }, whole.id);
  await window.detail(`Match ${whole.id}`).getByRole('button', { name: 'Split…' }).waitFor();
  await page.keyboard.press('s');
  const apart = window.dialog(`Split match ${whole.id}`);
  const cell = (part: number, of: string) =>
    apart.getByRole('textbox', { name: `Part ${part} of ${of}` }).first();
  await cell(1, 'TRANSFER FOR TWO').fill(decimal(one.amount_in_cents));
  await cell(2, 'TRANSFER FOR TWO').press('=');
  await apart
    .getByRole('textbox', { name: /^Part 1 of/ })
    .nth(2)
    .fill('');
  await apart
    .getByRole('textbox', { name: /^Part 2 of/ })
    .nth(2)
    .fill(decimal(half));
  await apart.getByRole('textbox', { name: 'Reason' }).fill('Two customers paid together.');
  await takeScreenshot('apart');
  await page.keyboard.press('Enter');
  await page.getByText('2 matches created.').first().waitFor();
  const after = (await manual()).filter(({ status }) => status === 'confirmed');
  expect(after.map(({ lines_in_cents }) => lines_in_cents).toSorted((a, b) => a - b)).toEqual(
    [one.amount_in_cents, half].toSorted((a, b) => a - b),
  );

  await page.keyboard.press('h');
  await pick('Unmatched bank lines', 'QUARTERLY ACCOUNT FEE');
  await window.button('Write off…').click();
  const dialog = window.dialog('Write off 1 bank line?');
  await dialog.getByRole('textbox', { name: 'Category' }).fill('fee');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Agreed with the bank.');
  await page.keyboard.press('Control+Enter');
  await dialog.waitFor({ state: 'hidden' });
  await page.getByText('1 item written off.').first().waitFor();
  const fee = async () =>
    (await client.bank.lines({ site, filter: { search: 'QUARTERLY ACCOUNT FEE' } })).rows[0]?.state;
  expect(await fee()).toBe('matched');
  // The selection follows the data: nothing is left of the written-off line.
  await page.getByText('1 line and 0 payments selected').waitFor({ state: 'hidden' });
  expect(await window.count('Unmatched bank lines')).toBe(0);
  await page.keyboard.press('z');
  await expect.poll(fee).toBe('open');
}

/** A figure of the workpaper opens its payments, with the row focused. */
async function openFigure({ page, client, site, window, takeScreenshot }: MatchingTest): Promise<void> {
  const figure = { site, period: '2026-10', currency: 'USD', figure: 'S2.payments' };
  const { sum, rows } = await client.workpapers.rows(figure);
  await client.periods.open({ site, period: figure.period });
  await page.evaluate(() => {
    location.hash = location.hash.replace(/matching.*$/, 'periods/2026-10-USD-S2.payments');
  });
  await window.button('Show in Matching').click();
  await page.getByText('S2.payments, October 2026, USD').waitFor();
  await expect.poll(() => window.count('Payments')).toBe(sum?.count);
  await page.keyboard.press('/');
  await page.keyboard.type(String(rows[0]?.id));
  await page.keyboard.press('Enter');
  await expect.poll(() => window.count('Payments')).toBe(1);
  await page.keyboard.press('Enter');
  const detail = window.detail(`Payment ${rows[0]?.id}`);
  await detail.getByRole('heading', { name: 'Matches' }).waitFor();
  await takeScreenshot('payment');
  await window.go('Matching');
}

async function writeRules({ page, client, site, window, takeScreenshot }: MatchingTest): Promise<void> {
  const titles = async () => (await client.match.rules({ site })).map(({ title }) => title);
  await partOf(page, 'Rules');
  await page.getByRole('heading', { name: 'No match rules yet' }).waitFor();
  const write = async (title: string, value: string) => {
    await window.button('New rule').click();
    const rule = window.detail('New rule');
    await rule.getByRole('textbox', { name: 'Name' }).fill(title);
    await rule.getByRole('textbox', { name: 'Value' }).fill(value);
    await rule.getByRole('textbox', { name: 'Category' }).fill('fee');
    await rule.getByText('1 unmatched line meets these conditions.').waitFor();
    return rule;
  };
  await (await write('Bank charges', 'account fee'))
    .getByRole('link', { name: 'QUARTERLY ACCOUNT FEE' })
    .waitFor();
  expect(await titles()).toEqual([]);
  await takeScreenshot('rule-preview');
  await page.keyboard.press('Tab');
  await window.button('Save rule').click();
  await expect.poll(titles).toEqual(['Bank charges']);
  await write('Transfers', 'short transfer');
  await window.button('Save rule').click();
  await expect.poll(titles).toEqual(['Bank charges', 'Transfers']);
  // By keyboard: into the list, to the second rule, to its move button.
  const list = page.getByRole('grid', { name: 'Match rules in order' });
  await list.getByRole('link', { name: 'Transfers' }).waitFor();
  await list.focus();
  await page.keyboard.press('ArrowDown');
  const named = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  for (let steps = 0; steps < 6 && (await named()) !== 'Move “Transfers” up'; steps++) {
    await page.keyboard.press('ArrowRight');
  }
  await page.keyboard.press('Enter');
  await expect.poll(titles).toEqual(['Transfers', 'Bank charges']);
  await page.getByText('Rule order changed.').first().waitFor();
  await takeScreenshot('rules');
  await page.keyboard.press('z');
  await expect.poll(titles).toEqual(['Bank charges', 'Transfers']);
  const row = list.getByRole('row').filter({ hasText: 'Bank charges' });
  await row.getByText('On', { exact: true }).click();
  await expect
    .poll(async () => (await client.match.rules({ site })).map(({ enabled }) => enabled))
    .toEqual([false, true]);
  await row.getByText('Off', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Bank charges' }).click();
  await window
    .detail(/^Rule \d+$/)
    .getByRole('button', { name: 'Delete' })
    .click();
  await expect.poll(titles).toEqual(['Transfers']);
  await page
    .getByText(/^Rule “Bank charges” deleted/)
    .first()
    .waitFor();
  await page.keyboard.press('z');
  await expect.poll(titles).toEqual(['Bank charges', 'Transfers']);
}

async function followPayout({ page, client, site, window, takeScreenshot }: MatchingTest): Promise<void> {
  const { rows } = await client.match.payouts({ site });
  const wanted = rows[1]!;
  await partOf(page, 'Payouts');
  await expect.poll(() => window.count('Payouts')).toBe(rows.length);
  await window.row('Payouts', wanted.payout_id).click();
  const detail = window.detail(`Payout ${wanted.id}`);
  await detail.getByRole('row', { name: /^Unexplained difference/ }).waitFor();
  await takeScreenshot('payout');
  await detail.getByRole('link', { name: 'Payment', exact: true }).click();
  const count = wanted.bridge.find(({ category }) => category === 'payment')!.count;
  await expect.poll(() => window.count('Bank lines')).toBe(count);
  await page.goBack();
  await detail.getByRole('row', { name: /^Unexplained difference/ }).waitFor();

  await partOf(page, 'Runs');
  await takeScreenshot('runs');
  const run = (await client.match.runs({ site })).rows.find(({ state }) => state === 'done')!;
  await window.button('Undo run…').click();
  await window.dialog(`Undo run ${run.id}?`).getByRole('textbox').fill('Matched too early.');
  await page.keyboard.press('Control+Enter');
  await page.getByText(/^Undone by .*: Matched too early\.$/).waitFor();
  expect((await client.match.getRun({ site, id: run.id })).state).toBe('undone');
}
