/** Returns a trigger that rejects an operation on a table, such as `UPDATE` or `DELETE`, with this message. */
export function rejecting(operation: string, table: string, message: string, condition = ''): string {
  const name = `${table}_no_${operation.split(' ')[0]?.toLowerCase()}`;
  return `CREATE TRIGGER ${name} BEFORE ${operation} ON ${table} ${condition && `WHEN ${condition} `}BEGIN
  SELECT RAISE(ABORT, '${message}');
END;`;
}

/** Returns triggers that allow only inserts into a table. */
export const appendOnly = (table: string, message: string, deleteCondition = ''): string =>
  `${rejecting('UPDATE', table, message)}\n${rejecting('DELETE', table, message, deleteCondition)}`;
