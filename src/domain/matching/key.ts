/** The name of a group by the ids of its members: the same for the same ones, in whatever order. */
export function keyOfMembers(
  lines: readonly { readonly id: number }[],
  payments: readonly { readonly id: number }[],
): string {
  const ids = (members: readonly { readonly id: number }[]) =>
    members.map(({ id }) => id).sort((a, b) => a - b);
  return `${ids(lines)}|${ids(payments)}`;
}
