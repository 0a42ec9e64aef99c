import type { Inputs } from '../../contract/index.ts';

export type CopySource = Inputs['backups']['compare']['from'];

const FILE = 'file:';

/** How a file of this computer stands in the address. */
export const itemOfPath = (path: string): string => FILE + path;

/** The copy that the address names. */
export function copyOf(item: string): CopySource {
  return item.startsWith(FILE) ? { path: item.slice(FILE.length) } : { name: item };
}
