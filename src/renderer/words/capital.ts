/** As a sentence begins, for what the backend says in the midst of one. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
