/**
 * The only road to the user's browser: `https:` addresses, after the user has seen the host and agreed. Anything else would let a page
 * start programs (`file:`, `smb:`, `ms-msdt:` and their like).
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
