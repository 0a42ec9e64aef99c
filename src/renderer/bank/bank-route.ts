import { navigate } from '../navigation/window-state.ts';

/** Detail shown next to the bank lines: one line, the list of imports, or one import. */
export type BankRoute =
  | { readonly kind: 'line'; readonly id: number }
  | { readonly kind: 'imports' }
  | { readonly kind: 'statements' }
  | { readonly kind: 'import'; readonly id: number };

/** Parses the route item of the bank screen. Returns null if no detail is open. */
export function parseBankRoute(item: string | null): BankRoute | null {
  if (item === 'imports' || item === 'statements') return { kind: item };
  const [, which, id] = /^(import-)?(\d{1,15})$/.exec(item ?? '') ?? [];
  if (id === undefined) return null;
  return { kind: which === undefined ? 'line' : 'import', id: Number(id) };
}

export function openBankImports(): void {
  navigate({ screen: 'bank', item: 'imports' });
}

export function openBankStatements(): void {
  navigate({ screen: 'bank', item: 'statements' });
}

export function openBankImport(id: number): void {
  navigate({ screen: 'bank', item: `import-${id}` });
}

/** Returns the route item to show after the open detail is closed. Closing an import returns to the list of imports. */
export function getParentBankRoute(item: string | null): string | null {
  return parseBankRoute(item)?.kind === 'import' ? 'imports' : null;
}
