/**
 * Opens an address in the user's browser: only `https:`, and only after the user has seen the host and confirmed. Other
 * schemes (`file:`, `smb:`, `ms-msdt:` and the like) would let a page start programs.
 */
export async function openLink(
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
