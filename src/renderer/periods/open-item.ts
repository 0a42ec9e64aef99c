import type { OpenItem } from '../../contract/index.ts';
import { openRow } from './opened.ts';

/** Opens an outstanding item where it is at home. */
export function openItem({ key }: Pick<OpenItem, 'key'>): void {
  const [kind, id] = key.split(':');
  if (kind === 'payment' || kind === 'line' || kind === 'payout' || kind === 'statement') {
    openRow({ kind, id: Number(id) });
  }
}
