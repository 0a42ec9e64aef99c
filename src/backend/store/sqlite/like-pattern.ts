/** Returns an SQL LIKE pattern for texts that contain this text. Use with `ESCAPE '\'`. */
export function toLikePattern(text: string): string {
  return `%${text.trim().replace(/[\\%_]/g, '\\$&')}%`;
}
