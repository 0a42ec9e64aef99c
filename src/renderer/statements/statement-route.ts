/** Parses the open statement and the one it is compared with: `120` or `120-118`. Returns null for other items. */
export function toStatementIds(
  item: string | null,
): { readonly id: number; readonly other: number | null } | null {
  const parts = /^(\d+)(?:-(\d+))?$/.exec(item ?? '');
  return parts && { id: Number(parts[1]), other: parts[2] === undefined ? null : Number(parts[2]) };
}

/** Returns the route item of a comparison. */
export function toComparisonItem(id: number, other: number): string {
  return `${id}-${other}`;
}
