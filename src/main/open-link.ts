/** Opens an `https:` address in the user's browser after confirmation. Other schemes could start programs. */
export async function openLinkInBrowser(
  url: string,
  actions: { confirm(host: string): Promise<boolean>; openExternal(url: string): Promise<void> },
): Promise<void> {
  const { confirm, openExternal } = actions;
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed?.protocol !== 'https:' || parsed.username !== '' || parsed.password !== '') return;
  if (await confirm(parsed.host)) await openExternal(parsed.href);
}
