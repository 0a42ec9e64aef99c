/**
 * SQL in which a value may be used at several places: `?1` is the first that is bound, `?2` the second. The driver binds by place alone, so
 * they are named once, before the statement. From constants, as all SQL.
 */
export function numbered(sql: string): string {
  const numbers = [...sql.matchAll(/\?(\d+)/g)].map(([, number]) => Number(number));
  const names = Array.from({ length: Math.max(...numbers) }, (_, at) => `p${at + 1}`);
  const values = names.map(() => '?').join(', ');
  return `WITH asked (${names.join(', ')}) AS (VALUES (${values})) ${sql.replace(/\?(\d+)/g, '(SELECT p$1 FROM asked)')}`;
}
