/**
 * Opens an address in the user's browser. Only `https:` is allowed, and the user must confirm the host first. With other
 * schemes (`file:`, `smb:`, `ms-msdt:`), a page could start programs.
 */
export async function openLinkInBrowser(
  url: string,
  {
    confirm,
    openExternal,
  }: { confirm(host: string): Promise<boolean>; openExternal(url: string): Promise<void> },
): Promise<void> {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed?.protocol !== 'https:' || parsed.username !== '' || parsed.password !== '') return;
  if (await confirm(parsed.host)) await openExternal(parsed.href);
}
