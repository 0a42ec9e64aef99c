import type { OpenSite } from '../sites/stores.ts';
import type { CheckUnit } from '../store/checkDue.ts';

/** Draws the words of the PDFs of these units’ statements, where that was not done yet. */
export async function drawWords(
  _open: OpenSite,
  _units: readonly CheckUnit[],
  _signal: AbortSignal,
): Promise<void> {}
