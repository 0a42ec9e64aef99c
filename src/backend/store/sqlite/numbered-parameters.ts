/** Converts numbered SQL parameters (`?1`) to positional ones, because the driver binds by position only. */
export function convertNumberedParameters(sql: string): string {
  const numbers = [...sql.matchAll(/\?(\d+)/g)].map(([, number]) => Number(number));
  const names = Array.from({ length: Math.max(...numbers) }, (_, at) => `p${at + 1}`);
  const values = names.map(() => '?').join(', ');
  return `WITH asked (${names.join(', ')}) AS (VALUES (${values})) ${sql.replace(/\?(\d+)/g, '(SELECT p$1 FROM asked)')}`;
}
