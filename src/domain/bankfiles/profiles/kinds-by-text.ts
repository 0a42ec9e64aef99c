import type { LineKind } from '../model/line-kind.ts';

/** Converts lists of kind texts, separated by `|`, to a profile's `kinds`. */
export const toKindsByText = (
  texts: { readonly [Kind in LineKind]?: string },
): Readonly<Record<string, LineKind>> =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([kind, list]) => list.split('|').map((text) => [text, kind as LineKind])),
  );
