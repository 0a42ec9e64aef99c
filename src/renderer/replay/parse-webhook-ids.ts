/** Returns the distinct webhook ids in a text, in order, and the number of words that are not ids. */
export function parseWebhookIds(text: string): { readonly ids: number[]; readonly skipped: number } {
  const ids = new Set<number>();
  let skipped = 0;
  for (const word of text.split(/[\s,;"']+/)) {
    if (word === '') continue;
    const id = /^\d{1,15}$/.test(word) ? Number(word) : Number.NaN;
    if (Number.isSafeInteger(id)) ids.add(id);
    else skipped += 1;
  }
  return { ids: [...ids], skipped };
}
