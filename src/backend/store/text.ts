/** A LIKE pattern (with `ESCAPE '\'`) for texts that contain these words as they stand. */
export function containing(text: string): string {
  return `%${text.trim().replace(/[\\%_]/g, '\\$&')}%`;
}
