import { useState } from 'react';
import type { MatchGroup } from '../../../contract/index.ts';
import { useAction, useContractClient } from '../../backend-client/backend-hooks.ts';
import { closeDialog, type SplitSource } from '../../navigation/window-state.ts';
import { formatDecimal } from '../../texts/money.ts';
import { texts } from '../../texts/texts.ts';
import { notifyManualMatch } from '../match-decisions.ts';
import { calculateSplit, type SplitAmounts, type TypedAmounts } from './split-amounts.ts';
import { splitItemsOf, toSplitParts } from './split-items.ts';

const text = texts.matching.split;

/**
 * Manages and submits the split dialog's data. A confirmed match is split into several matches. A suggestion, or a
 * selection of bank lines and payments, becomes one manual match of partial amounts.
 */
export function useSplit(site: string, source: SplitSource) {
  const client = useContractClient();
  const { group } = source;
  const confirmedMatch = group?.status === 'confirmed' ? group : null;
  const isSplit = confirmedMatch !== null;
  const [items] = useState(() => splitItemsOf(source));
  const [partCount, setPartCount] = useState(isSplit ? 2 : 1);
  const [typed, setTyped] = useState<readonly TypedAmounts[]>(() =>
    items.map(({ suggested_in_cents: cents }) => [cents === 0 ? '' : formatDecimal(cents)]),
  );
  const [category, setCategory] = useState(group?.adjustments[0]?.category ?? '');
  const [reason, setReason] = useState('');
  const amounts = calculateSplit(items, typed, partCount);

  const saving = useAction(async (): Promise<readonly MatchGroup[]> => {
    const note = reason.trim();
    const parts = toSplitParts(items, amounts, { category: category.trim(), reason: note });
    if (isSplit) return await client.match.split({ site, id: confirmedMatch.id, parts, reason: note });
    const [part] = parts;
    if (part === undefined) return [];
    const match = await client.match.make({ site, ...part, ...(note === '' ? {} : { reason: note }) });
    // Declines the suggestion, because the manual match replaces it. Undoing the match also undoes the decline.
    const declined =
      group === null
        ? []
        : await client.match.decline({ site, ids: [group.id], reason: text.replacedBy(match.id) });
    return [match, ...declined];
  });
  const blockedReason = splitBlockedReason(amounts, { isSplit, category, reason });
  const submit = async () => {
    if (blockedReason !== null) return;
    const changed = await saving.run();
    if (changed === null) return;
    closeDialog();
    if (source.group === null) source.onDone();
    notifyManualMatch(client, site, changed);
  };
  return {
    confirmedMatch,
    items,
    typed,
    setTyped,
    amounts,
    addPart: () => setPartCount(partCount + 1),
    hasDifference: hasDifference(amounts),
    category,
    setCategory,
    reason,
    setReason,
    saving,
    blockedReason,
    submit,
  };
}

const hasDifference = ({ parts }: SplitAmounts): boolean =>
  parts.some(({ hasAmounts, difference_in_cents }) => hasAmounts && difference_in_cents !== 0);

interface SplitReasons {
  readonly isSplit: boolean;
  readonly category: string;
  readonly reason: string;
}

/** Returns the reason why the split cannot be submitted, or null if it can. */
function splitBlockedReason(
  amounts: SplitAmounts,
  { isSplit, category, reason }: SplitReasons,
): string | null {
  const error = amounts.items.find((item) => item.error !== null)?.error;
  if (error) return text.errors[error];
  const usedParts = amounts.parts.filter(({ hasAmounts }) => hasAmounts).length;
  if (usedParts < (isSplit ? 2 : 1)) return isSplit ? text.tooFew : text.nothingAllocated;
  const isReasonMissing = reason.trim() === '';
  if (hasDifference(amounts) && (category.trim() === '' || isReasonMissing)) return text.differenceUnassigned;
  return isSplit && isReasonMissing ? texts.reason.missing : null;
}
