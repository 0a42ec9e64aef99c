import type { Locator, Page } from 'playwright-core';
import { createWindowDriver } from './window-driver.ts';

/** Opens the latest complete month as a period and shows its report tab. */
export async function openReportTab(page: Page): Promise<void> {
  const window = createWindowDriver(page);
  await window.freshness(/^Synced/).waitFor();
  await window.go('Periods');
  await window.button(/^Open \w+ \d{4}$/).click();
  await window.tab('Report').click();
}

/** Shows the PDF report of a period and waits until its first page is drawn. Returns the viewer. */
export async function previewReport(page: Page): Promise<Locator> {
  await openReportTab(page);
  await page.getByRole('button', { name: 'Preview' }).click();
  const viewer = page.getByRole('region', { name: 'Preview' });
  await viewer.locator('.page[data-loaded] canvas').first().waitFor();
  return viewer;
}

/** Drops a file on the import dialog and imports its lines into a new account. */
export async function importDroppedFile(page: Page, file: { name: string; text: string }): Promise<void> {
  const window = createWindowDriver(page);
  await window.freshness(/^Synced/).waitFor();
  await page.getByRole('link', { name: 'Bank', exact: true }).click();
  await window.button('Import file').click();
  const dialog = window.dialog('Import bank file');
  await dialog.locator('.bank-drop').evaluate((zone, { name, text }) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], name, { type: 'text/csv' }));
    for (const type of ['dragenter', 'dragover', 'drop'])
      zone.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
  }, file);
  await dialog.getByRole('textbox', { name: 'Account name' }).fill('Harbor checking');
  await dialog.getByRole('button', { name: /^Import \d+ lines?$/ }).click();
  await dialog.waitFor({ state: 'hidden' });
}
