/** Converts SQL with numbered parameters (`?1`), because the driver binds by position only. */
export function expandNumberedParameters(sql: string): string {
  const numbers = [...sql.matchAll(/\?(\d+)/g)].map(([, number]) => Number(number));
  const names = Array.from({ length: Math.max(...numbers) }, (_, at) => `p${at + 1}`);
  const values = names.map(() => '?').join(', ');
  return `WITH asked (${names.join(', ')}) AS (VALUES (${values})) ${sql.replace(/\?(\d+)/g, '(SELECT p$1 FROM asked)')}`;
}
