/**
 * Returns the text of a form that was added while its earlier text was being saved. If the saved part was changed as well, the
 * text stays complete, so that nothing typed is lost.
 */
export function removeSavedText(typed: string, saved: string): string {
  return typed.startsWith(saved) ? typed.slice(saved.length).trimStart() : typed;
}
