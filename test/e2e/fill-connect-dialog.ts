import type { Locator, Page } from 'playwright-core';

/** Fills and submits the dialog that connects a site named Harbor. */
export async function fillConnectDialog(page: Page, address: string, key: string): Promise<Locator> {
  const dialog = page.getByRole('dialog', { name: 'Connect a site' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Harbor');
  await dialog.getByRole('textbox', { name: 'Address' }).fill(address);
  await dialog.getByLabel('API key').fill(key);
  await dialog.getByRole('button', { name: 'Connect and sync' }).click();
  return dialog;
}
