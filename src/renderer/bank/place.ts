import { go } from '../view/view.ts';

/** What stands beside the lines: one of them, the list of imports, or an import. */
export type BankPlace =
  | { readonly kind: 'line'; readonly id: number }
  | { readonly kind: 'imports' }
  | { readonly kind: 'import'; readonly id: number };

/** What an address names; null where nothing is open. */
export function placeIn(item: string | null): BankPlace | null {
  if (item === 'imports') return { kind: 'imports' };
  const [, which, id] = /^(import-)?(\d{1,15})$/.exec(item ?? '') ?? [];
  if (id === undefined) return null;
  return { kind: which === undefined ? 'line' : 'import', id: Number(id) };
}

export function openImports(): void {
  go({ screen: 'bank', item: 'imports' });
}

export function openImport(id: number): void {
  go({ screen: 'bank', item: `import-${id}` });
}

/** Where closing what is open leads: from an import to the list of them. */
export function bankBehind(item: string | null): string | null {
  return placeIn(item)?.kind === 'import' ? 'imports' : null;
}
