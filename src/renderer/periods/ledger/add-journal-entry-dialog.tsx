import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useAction, useContractClient } from '../../backend-client/backend-hooks.ts';
import { Button } from '../../controls/button.tsx';
import { DateField } from '../../controls/date-field.tsx';
import { TextInput, ToggleSwitch } from '../../controls/form-fields.tsx';
import { FormDialog } from '../../layout/form-dialog.tsx';
import { closeDialog, showNotice } from '../../navigation/window-state.ts';
import { texts } from '../../texts/texts.ts';
import { type JournalEntryDraft, type JournalLineDraft, parseJournalEntry } from './journal-entry-draft.ts';

const text = texts.generalLedger.entry;
const createLine = (key: number): JournalLineDraft => ({ key, account: '', debit: '', credit: '' });
const emptyDraft: JournalEntryDraft = {
  ...{ memo: '', datedOn: '', reversesOn: '', isMonthly: false, until: '' },
  lines: [createLine(0), createLine(1)],
};

interface AddJournalEntryProps {
  readonly site: string;
  readonly period: string;
}

export function AddJournalEntryDialog({ site, period }: AddJournalEntryProps) {
  const client = useContractClient();
  const [draft, setDraft] = useState(emptyDraft);
  const change = (changed: Partial<JournalEntryDraft>) => setDraft((before) => ({ ...before, ...changed }));
  const { entry, reason } = parseJournalEntry(draft);
  const adding = useAction((added: NonNullable<typeof entry>) =>
    client.journal.add({ site, period, ...added }),
  );
  const submit = async () => {
    if (entry === null || (await adding.run(entry)) === null) return;
    closeDialog();
    showNotice(text.added, 'good');
  };
  return (
    <FormDialog
      title={text.title}
      size="wide"
      submitLabel={text.save}
      action={adding}
      disabledReason={reason}
      dismissable={draft === emptyDraft}
      onSubmit={submit}
      site={site}
    >
      <TextInput
        label={text.memo}
        value={draft.memo}
        onChange={(memo) => change({ memo })}
        maxLength={200}
        autoFocus
      />
      <EntryLines lines={draft.lines} onChange={(lines) => change({ lines })} />
      <div className="explain-pair">
        <DateField label={text.on} value={draft.datedOn} onChange={(datedOn) => change({ datedOn })} />
        <DateField
          label={text.reversesOn}
          value={draft.reversesOn}
          onChange={(reversesOn) => change({ reversesOn })}
        />
      </div>
      <ToggleSwitch on={draft.isMonthly} onChange={(isMonthly) => change({ isMonthly })}>
        {text.monthly}
      </ToggleSwitch>
      {draft.isMonthly && (
        <TextInput
          label={text.until}
          placeholder="YYYY-MM"
          value={draft.until}
          onChange={(until) => change({ until })}
        />
      )}
    </FormDialog>
  );
}

interface EntryLinesProps {
  readonly lines: readonly JournalLineDraft[];
  readonly onChange: (lines: readonly JournalLineDraft[]) => void;
}

function EntryLines({ lines, onChange }: EntryLinesProps) {
  const changeLine = (key: number, changed: Partial<JournalLineDraft>) =>
    onChange(lines.map((line) => (line.key === key ? { ...line, ...changed } : line)));
  return (
    <>
      {lines.map(({ key, account, debit, credit }, at) => (
        <div key={key} className="ledger-form">
          <TextInput
            label={text.account(at + 1)}
            value={account}
            onChange={(value) => changeLine(key, { account: value })}
            maxLength={100}
          />
          <TextInput
            label={text.debit(at + 1)}
            value={debit}
            onChange={(value) => changeLine(key, { debit: value })}
            numeric
          />
          <TextInput
            label={text.credit(at + 1)}
            value={credit}
            onChange={(value) => changeLine(key, { credit: value })}
            numeric
          />
        </div>
      ))}
      <Button
        kind="quiet"
        size="small"
        icon={Plus}
        onPress={() => onChange([...lines, createLine(lines.length)])}
      >
        {text.addLine}
      </Button>
    </>
  );
}
