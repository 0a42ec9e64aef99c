import type { Locator, Page } from 'playwright-core';
import { createWindowDriver } from './window-driver.ts';

/** Opens the latest complete month as a period and shows its report tab. */
export async function openReportTab(page: Page): Promise<void> {
  const window = createWindowDriver(page);
  await window.freshness(/^Synced/).waitFor();
  await window.go('Periods');
  await window.button(/^Open \w+ \d{4}$/).click();
  await page.getByText('Report and pack', { exact: true }).first().click();
}

/** Shows the PDF report of a period and waits until its first page is drawn. Returns the viewer. */
export async function previewReport(page: Page): Promise<Locator> {
  await openReportTab(page);
  await page.getByRole('button', { name: 'Preview' }).click();
  const viewer = page.getByRole('region', { name: 'Preview' });
  await viewer.locator('.page[data-loaded] canvas').first().waitFor();
  return viewer;
}

/** Drops a file on the import dialog, as Chromium does for the system, and imports its lines into a new account. */
export async function importDroppedFile(page: Page, path: string): Promise<void> {
  const window = createWindowDriver(page);
  await window.freshness(/^Synced/).waitFor();
  await page.getByRole('link', { name: 'Bank', exact: true }).click();
  await window.button('Import file').click();
  const dialog = window.dialog('Import bank file');
  const zone = dialog.locator('.bank-drop');
  await zone.waitFor();
  const box = await zone.boundingBox();
  if (box === null) throw new Error('The drop zone is not visible.');
  const position = { x: box.x + box.width / 2, y: box.y + box.height - 8 };
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...position, data });
  await dialog.getByRole('textbox', { name: 'Account name' }).fill('Harbor checking');
  await dialog.getByText(/\d+ new/).waitFor();
  // While the preview is refreshed for the account, the button is disabled.
  await dialog.locator('button:not([aria-disabled])', { hasText: /^Import \d+ lines?$/ }).click();
  await dialog.waitFor({ state: 'hidden' });
}
