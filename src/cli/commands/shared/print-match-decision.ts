import { formatCount } from '../../output/format-values.ts';
import type { CommandContext } from '../../runtime/cli-command.ts';

/** Prints the records that a decision changed. The records are the only field of `document`. */
export async function printMatchDecision(
  { output }: CommandContext,
  document: Readonly<Record<string, readonly { readonly id: number }[]>>,
  [one, many]: readonly [singular: string, plural: string],
  result: string,
): Promise<void> {
  const ids = Object.values(document).flatMap((rows) => rows.map(({ id }) => id));
  await output.document(document, () => [
    `${formatCount(ids.length, one, many)} ${result}: ${ids.join(', ')}.`,
  ]);
}
