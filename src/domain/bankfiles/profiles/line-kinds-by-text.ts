import type { BankLineKind } from '../model/line-kind.ts';

/** Converts lists of kind texts, separated by `|`, to a profile's `kinds`. */
export const toKindsByText = (
  texts: { readonly [Kind in BankLineKind]?: string },
): Readonly<Record<string, BankLineKind>> =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([kind, list]) =>
      list.split('|').map((text) => [text, kind as BankLineKind]),
    ),
  );
