import { useState } from 'react';
import { useAction, useContractClient } from '../backend-client/backend-hooks.ts';
import { MultilineField } from '../controls/multiline-field.tsx';
import { FormDialog } from '../layout/form-dialog.tsx';
import { closeDialog, showNotice } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { CategoryField } from './shared/category-field.tsx';
import { createUndoMatchesAction } from './shared/match-decisions.ts';

const text = texts.matching.manual;

interface WriteOffProps {
  readonly site: string;
  readonly lines: readonly number[];
  readonly transactions: readonly number[];
  onDone(): void;
}

/** Dialog for writing off the unmatched amounts of bank lines and payments to a category. Requires a reason. */
export function WriteOffDialog({ site, lines, transactions, onDone }: WriteOffProps) {
  const client = useContractClient();
  const [category, setCategory] = useState('');
  const [reason, setReason] = useState('');
  const writingOff = useAction(() =>
    client.match.writeOff({
      site,
      lines: [...lines],
      transactions: [...transactions],
      category: category.trim(),
      reason: reason.trim(),
    }),
  );
  const missing = category.trim() === '' || reason.trim() === '';
  const run = async () => {
    if (missing) return;
    const groups = await writingOff.run();
    if (!groups) return;
    closeDialog();
    onDone();
    const ids = groups.map(({ id }) => id);
    showNotice(text.writtenOff(ids.length), 'good', createUndoMatchesAction(client, site, ids));
  };
  return (
    <FormDialog
      title={text.writeOffTitle(lines.length, transactions.length)}
      dismissable={category === '' && reason === ''}
      submitLabel={text.writeOffNow}
      action={writingOff}
      disabledReason={missing ? texts.reason.missing : null}
      onSubmit={run}
      site={site}
    >
      <p>{text.writeOffText}</p>
      <CategoryField site={site} label={text.category} value={category} onChange={setCategory} autoFocus />
      <MultilineField
        label={texts.reason.label}
        value={reason}
        onChange={setReason}
        onSubmit={() => void run()}
        maxLength={2000}
      />
    </FormDialog>
  );
}
