import { useState } from 'react';
import type { BackendClient, MatchGroup } from '../../../contract/index.ts';
import { useAction, useContractClient } from '../../backend-client/backend-hooks.ts';
import { Button } from '../../controls/button.tsx';
import { bindFormField, TextInput } from '../../controls/form-fields.tsx';
import { EnterKeyForm, FormDialog } from '../../layout/form-dialog.tsx';
import { closeDialog, type ManualSplitSource } from '../../navigation/window-state.ts';
import { formatDecimal } from '../../texts/money.ts';
import { texts } from '../../texts/texts.ts';
import { showManualMatchNotice } from '../shared/match-decisions.ts';
import { calculateSplit, type EnteredSplitAmounts, type SplitAmounts } from './split-amounts.ts';
import { listSplitItems, type SplitPart, toSplitParts } from './split-items.ts';
import { SplitTable } from './split-table.tsx';
import './split.css';

const text = texts.matching.split;
const MAX_PARTS = 6;

/** Reasons that the user enters for a split. */
interface SplitReasons {
  readonly category: string;
  readonly reason: string;
}

/**
 * Dialog for splitting a confirmed match into several matches. A suggestion, or a selection of bank lines and payments,
 * becomes one manual match of partial amounts.
 */
export function SplitDialog({ site, source }: { readonly site: string; readonly source: ManualSplitSource }) {
  const client = useContractClient();
  const { group } = source;
  const confirmedMatch = group?.status === 'confirmed' ? group : null;
  const isSplit = confirmedMatch !== null;
  const [items] = useState(() => listSplitItems(source));
  const [partCount, setPartCount] = useState(isSplit ? 2 : 1);
  const [typed, setTyped] = useState<readonly EnteredSplitAmounts[]>(() =>
    items.map(({ suggested_in_cents: cents }) => [cents === 0 ? '' : formatDecimal(cents)]),
  );
  const [reasons, setReasons] = useState<SplitReasons>({
    category: group?.adjustments[0]?.category ?? '',
    reason: '',
  });
  const trimmed = { category: reasons.category.trim(), reason: reasons.reason.trim() };
  const amounts = calculateSplit(items, typed, partCount);
  const saving = useAction(() =>
    saveSplit(client, { site, source, parts: toSplitParts(items, amounts, trimmed), reason: trimmed.reason }),
  );
  const blockedReason = splitBlockedReason(amounts, isSplit, trimmed);
  const submit = async () => {
    if (blockedReason !== null) return;
    const changed = await saving.run();
    if (changed === null) return;
    closeDialog();
    if (source.group === null) source.onDone();
    showManualMatchNotice(client, site, changed);
  };
  return (
    <FormDialog
      title={isSplit ? text.splitTitle(confirmedMatch.id) : text.matchPartTitle}
      size={partCount > 2 ? 'large' : 'wide'}
      dismissable={false}
      submitLabel={isSplit ? text.splitButton : text.make}
      action={saving}
      disabledReason={blockedReason}
      site={site}
      onSubmit={submit}
      tools={
        isSplit && (
          <Button
            disabledReason={partCount === MAX_PARTS ? text.maxParts(MAX_PARTS) : null}
            onPress={() => setPartCount(partCount + 1)}
          >
            {text.addPart}
          </Button>
        )
      }
    >
      <p>{isSplit ? text.splitText : text.matchPartText}</p>
      <EnterKeyForm className="split" onSubmit={submit}>
        <SplitTable items={items} typed={typed} amounts={amounts} onType={setTyped} />
        <div className="split-reason-fields">
          {hasDifference(amounts) && (
            <TextInput
              label={text.category}
              {...bindFormField(reasons, setReasons, 'category')}
              maxLength={40}
              placeholder={text.categoryExample}
            />
          )}
          {(hasDifference(amounts) || isSplit) && (
            <TextInput
              label={texts.reason.label}
              {...bindFormField(reasons, setReasons, 'reason')}
              maxLength={2000}
            />
          )}
        </div>
      </EnterKeyForm>
    </FormDialog>
  );
}

interface SplitInput {
  readonly site: string;
  readonly source: ManualSplitSource;
  readonly parts: SplitPart[];
  readonly reason: string;
}

/** Splits the confirmed match, or makes the manual match. Returns the changed matches. */
async function saveSplit(client: BackendClient, input: SplitInput): Promise<readonly MatchGroup[]> {
  const { site, parts, reason } = input;
  const { group } = input.source;
  if (group?.status === 'confirmed') return await client.match.split({ site, id: group.id, parts, reason });
  const [part] = parts;
  if (part === undefined) return [];
  const match = await client.match.make({ site, ...part, ...(reason !== '' && { reason }) });
  if (group === null) return [match];
  // Declines the suggestion, because the manual match replaces it. Undoing the match also undoes the decline.
  const declined = await client.match.decline({ site, ids: [group.id], reason: text.replacedBy(match.id) });
  return [match, ...declined];
}

const hasDifference = ({ parts }: SplitAmounts): boolean =>
  parts.some(({ hasAmounts, difference_in_cents }) => hasAmounts && difference_in_cents !== 0);

/** Returns the reason why the split cannot be submitted, or null if it can. */
function splitBlockedReason(
  amounts: SplitAmounts,
  isSplit: boolean,
  { category, reason }: SplitReasons,
): string | null {
  const error = amounts.items.find((item) => item.error !== null)?.error;
  if (error) return text.errors[error];
  const usedParts = amounts.parts.filter(({ hasAmounts }) => hasAmounts).length;
  if (usedParts < (isSplit ? 2 : 1)) return isSplit ? text.tooFew : text.nothingAllocated;
  if (hasDifference(amounts) && (category === '' || reason === '')) return text.differenceUnassigned;
  return isSplit && reason === '' ? texts.reason.missing : null;
}
