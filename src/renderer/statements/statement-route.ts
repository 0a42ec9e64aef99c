/** Parses `120` (open statement) or `120-118` (comparison of two statements). Returns null for other items. */
export function parseStatementRouteItem(
  item: string | null,
): { readonly id: number; readonly other: number | null } | null {
  const parts = /^(\d+)(?:-(\d+))?$/.exec(item ?? '');
  return parts && { id: Number(parts[1]), other: parts[2] === undefined ? null : Number(parts[2]) };
}

/** Returns the route item for a comparison of two statements. */
export function formatComparisonRouteItem(id: number, other: number): string {
  return `${id}-${other}`;
}
