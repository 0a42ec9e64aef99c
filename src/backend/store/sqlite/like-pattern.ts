/** Returns a LIKE pattern (with `ESCAPE '\'`) for texts that contain this text. */
export function toLikePattern(text: string): string {
  return `%${text.trim().replace(/[\\%_]/g, '\\$&')}%`;
}
