/** Returns the SQL of a trigger that rejects an operation on a table, for example `UPDATE`, with this message. */
export function createRejectTrigger(
  operation: string,
  table: string,
  message: string,
  condition = '',
): string {
  const name = `${table}_no_${operation.split(' ')[0]?.toLowerCase()}`;
  return `CREATE TRIGGER ${name} BEFORE ${operation} ON ${table} ${condition && `WHEN ${condition} `}BEGIN
  SELECT RAISE(ABORT, '${message}');
END;`;
}

/** Returns the SQL of triggers that make a table append-only. */
export const createAppendOnlyTriggers = (table: string, message: string, deleteCondition = ''): string =>
  `${createRejectTrigger('UPDATE', table, message)}\n${createRejectTrigger('DELETE', table, message, deleteCondition)}`;
