/** Returns an SQL LIKE pattern, to be used with `ESCAPE '\'`, for texts that contain this text. */
export function toLikePattern(text: string): string {
  return `%${text.trim().replace(/[\\%_]/g, '\\$&')}%`;
}
