import type { OpenItem } from '../../../contract/index.ts';
import { openRecord } from '../open-records.ts';

/** Opens the payment, bank line, payout or statement that an outstanding item refers to. */
export function openOutstandingItem({ key }: Pick<OpenItem, 'key'>): void {
  const [kind, id] = key.split(':');
  if (kind === 'payment' || kind === 'line' || kind === 'payout' || kind === 'statement') {
    openRecord({ kind, id: Number(id) });
  }
}
