/** Returns the key of a match, which only depends on the ids of its members, not on their order. */
export function buildMatchKey(
  lines: readonly { readonly id: number }[],
  payments: readonly { readonly id: number }[],
): string {
  const sortIds = (members: readonly { readonly id: number }[]) =>
    members.map(({ id }) => id).sort((a, b) => a - b);
  return `${sortIds(lines)}|${sortIds(payments)}`;
}
