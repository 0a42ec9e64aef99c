import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openWriterTestSite, SITE, type WriterTestSite } from '../backend/writer-test-site.ts';
import { findAccessibilityProblems } from './accessibility-problems.ts';
import { openAppWindow } from './app-window.ts';
import { createWindowDriver } from './window-driver.ts';

const screenshotFolder = new URL('../../out/screens/archive/', import.meta.url);

/**
 * The archive in the window: PDFs are downloaded, exported with a preview and verified, a damaged file is found and repaired, and
 * documents on hold cannot be deleted.
 */
test('downloads, exports, verifies, repairs and holds PDFs', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tieout-e2e-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  await openAppWindow({}, async ({ page, app, pageErrors }) => {
    const { client, home } = app.host;
    const window = createWindowDriver(page);
    mkdirSync(screenshotFolder, { recursive: true });
    const found: Record<string, string[]> = {};
    const takeScreenshot = (name: string) =>
      page.screenshot({ path: new URL(`${name}.png`, screenshotFolder).pathname });
    const look = async (name: string) => {
      await takeScreenshot(name);
      const here = await findAccessibilityProblems(page);
      if (here.length > 0) found[name] = here;
    };
    await window.freshness(/^Synced/).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.getByRole('heading', { name: 'Archive', level: 1 }).waitFor();
    await page.getByRole('heading', { name: 'No PDFs in the archive yet' }).waitFor();
    await look('empty');

    // Selects some statements, so that the export reports what it leaves out.
    const { rows } = await client.statements.list({ site: 'demo', limit: 12, filter: { state: ['paid'] } });
    const subscription = rows[0]?.subscription_id ?? 0;
    await client.archive.fetch({ site: 'demo', filter: { subscription_id: subscription } });
    await window
      .detail('Archive summary')
      .getByText(/to download$/)
      .waitFor();
    await look('standing');

    // Keyboard: E opens the dialog and Tab moves through it.
    await page.keyboard.press('e');
    const dialog = window.dialog('Export statements');
    await dialog
      .getByText(/_\d+\.pdf$/)
      .first()
      .waitFor();
    await dialog.getByRole('textbox', { name: 'File name template' }).fill('{nobody}');
    await dialog.getByText(/Unknown field \{nobody\}/).waitFor();
    await takeScreenshot('template');
    await dialog.getByRole('textbox', { name: 'File name template' }).fill('{customer}/{closed:YYYY-MM}');
    await dialog
      .getByText(/\/\d{4}-\d\d_\d+\.pdf$/)
      .first()
      .waitFor();
    const target = join(folder, 'handed-over');
    mkdirSync(target);
    await dialog.getByRole('textbox', { name: 'Folder' }).fill(folder);
    await dialog.getByRole('button', { name: 'Choose…' }).click();
    await dialog.getByRole('button', { name: /handed-over/ }).click();
    await look('place');
    await dialog.getByRole('button', { name: 'Use this folder' }).click();
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('The selection is fixed', { exact: false }).waitFor();
    await dialog.getByText(/listed in the index only/).waitFor();
    await look('planned');
    await dialog.getByRole('button', { name: 'Back' }).click();
    await expect.poll(async () => (await client.archive.exports({ site: 'demo' })).length).toBe(0);
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('The selection is fixed', { exact: false }).waitFor();
    await dialog.getByRole('button', { name: 'Export', exact: true }).click();
    await dialog.getByText('Export complete.').waitFor();
    const [made] = await client.archive.exports({ site: 'demo' });
    await dialog.getByText(made?.result?.checksum ?? 'none').waitFor();
    expect(made).toMatchObject({
      state: 'done',
      target: { kind: 'folder', path: target },
      result: { problems: 0 },
    });
    expect(existsSync(join(target, 'data', 'index.csv'))).toBe(true);
    await takeScreenshot('done');
    await page.keyboard.press('Escape');

    await window.button(/^Verify \//).click();
    const verify = window.dialog('Verify an export or evidence pack');
    await verify.getByRole('button', { name: 'Verify', exact: true }).click();
    await verify.getByText(/All checksums match/).waitFor();
    await takeScreenshot('verified');
    await page.keyboard.press('Escape');

    // Exports the selected rows of the statement list.
    await window.go('Statements');
    await window.rows('Statements').nth(1).click();
    await page.keyboard.press('e');
    await dialog.getByText(/1 statement selected|All statements that match the filter/).waitFor();
    await page.keyboard.press('Escape');

    await window.go('Archive');
    const archive = join(home, 'sites', 'demo', 'archive');
    const [pdf] = readdirSync(archive, { recursive: true, withFileTypes: true }).filter(({ name }) =>
      name.endsWith('.pdf'),
    );
    writeFileSync(join(pdf?.parentPath ?? '', pdf?.name ?? ''), 'not what it was');
    await window.button('Check').click();
    await page.getByRole('menuitem', { name: 'Check all files' }).click();
    const damaged = window.detail('Damaged or missing files');
    await damaged.getByText('Damaged', { exact: true }).waitFor();
    await look('damaged');
    await damaged.getByRole('button', { name: 'Repair damaged files' }).click();
    await damaged.waitFor({ state: 'detached' });
    expect(readdirSync(join(archive, 'damaged'))).toEqual([pdf?.name]);

    await window.button('Place hold…').click();
    const hold = window.dialog('Place a legal hold');
    await hold.getByRole('textbox', { name: 'Statements', exact: true }).fill(`${rows[0]?.id}, x`);
    await hold.getByRole('textbox', { name: 'Reason' }).fill('Tax audit');
    await hold.getByRole('textbox', { name: 'Statements', exact: true }).fill(String(rows[0]?.id));
    await look('hold');
    await hold.getByRole('textbox', { name: 'Reason' }).press('Control+Enter');
    const retention = window.detail('Retention and holds');
    await retention.getByText('1 statement is on hold.', { exact: false }).waitFor();
    await window.button('Change retention…').click();
    await window.dialog('Change retention').getByRole('textbox', { name: 'Years' }).fill('1');
    await window.dialog('Change retention').getByRole('textbox', { name: 'Reason' }).fill('A trial');
    await page.keyboard.press('Control+Enter');
    await retention
      .getByText('Documents are retained for 1 year from the document date.', { exact: false })
      .waitFor();
    await look('kept');
    await retention.getByRole('button', { name: /^Release/ }).click();
    await window.dialog(`Release the hold on Statement ${rows[0]?.id}?`).getByRole('textbox').fill('Over');
    await page.keyboard.press('Control+Enter');
    await retention.getByText('Nothing is on hold.', { exact: false }).waitFor();

    const files = window.detail('Files');
    await files.getByRole('textbox').fill(String(rows[0]?.id));
    await expect.poll(() => files.getByRole('button', { name: /^Save version/ }).count()).toBe(1);
    const download = page.waitForEvent('download');
    await files.getByRole('button', { name: `Save version 1 of statement ${rows[0]?.id}` }).click();
    expect((await download).suggestedFilename()).toBe(`statement-${rows[0]?.id}-version-1.pdf`);
    await page.setViewportSize({ width: 1600, height: 1000 });
    await takeScreenshot('wide');
    await page.emulateMedia({ colorScheme: 'dark' });
    await look('dark');
    await page.keyboard.press('e');
    await dialog
      .getByText(/_\d+\.pdf$/)
      .first()
      .waitFor();
    await look('dark-export');
    expect(found).toEqual({});
    expect(pageErrors).toEqual([]);
  });
});

/** Documents from 2012 are past any retention period. */
test('deletes selected PDFs that are past retention, with a reason', async () => {
  const bench = await openWriterTestSite({ subscriptions: 6, months: 3, now: '2012-06-15T12:00:00Z' });
  onTestFinished(() => bench.close());
  await bench.sync({ only: ['statements'] });
  await bench.sync({ only: ['pdf'] });
  await bench.client.archive.hold({
    site: SITE,
    subscriptions: [findFirstClosedStatement(bench)],
    reason: 'A claim',
  });
  await bench.writer.close();
  await openAppWindow({ home: bench.home, demo: false }, async ({ page, app, pageErrors }) => {
    const past = { site: SITE, only: 'past_retention' } as const;
    const { rows } = await app.host.client.archive.files(past);
    const window = createWindowDriver(page);
    await window.go('Archive');
    await window.button('Delete expired PDFs…').click();
    const list = window.dialog('Delete expired PDFs');
    await expect.poll(() => list.getByRole('checkbox').count()).toBe(rows.length + 1);
    await list.getByRole('checkbox', { name: /^Select all/ }).check();
    await list.getByRole('button', { name: `Delete PDFs of ${rows.length} statements` }).waitFor();
    await list
      .getByRole('checkbox', { name: `Delete the PDFs of statement ${rows[0]?.statement}` })
      .uncheck();
    await list.getByRole('textbox', { name: 'Reason' }).fill('Past the seven years of our policy');
    await page.screenshot({ path: new URL('delete.png', screenshotFolder).pathname });
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Control+Enter');
    await page
      .getByText(`Deleted the PDFs of ${rows.length - 1} statements`, { exact: false })
      .first()
      .waitFor();
    await window
      .detail('Retention and holds')
      .getByText('1 statement is past retention and not on hold.', { exact: false })
      .waitFor();
    const left = (await app.host.client.archive.files(past)).rows;
    expect(left.map(({ statement }) => statement)).toEqual([rows[0]?.statement]);
    expect(pageErrors).toEqual([]);
  });
  await bench.reopen();
});

/** Returns a subscription that has a closed statement. */
function findFirstClosedStatement({ sandbox }: WriterTestSite): number {
  const [closed] = [...sandbox.truth.statements()].filter(({ closed_at }) => closed_at !== null);
  return closed?.['subscription_id'] as number;
}
