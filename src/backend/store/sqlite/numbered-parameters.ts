/**
 * Converts SQL in which values are used several times: `?1` is the first bound value, `?2` the second. The driver binds
 * by position only, so the values are named once before the statement.
 */
export function numbered(sql: string): string {
  const numbers = [...sql.matchAll(/\?(\d+)/g)].map(([, number]) => Number(number));
  const names = Array.from({ length: Math.max(...numbers) }, (_, at) => `p${at + 1}`);
  const values = names.map(() => '?').join(', ');
  return `WITH asked (${names.join(', ')}) AS (VALUES (${values})) ${sql.replace(/\?(\d+)/g, '(SELECT p$1 FROM asked)')}`;
}
