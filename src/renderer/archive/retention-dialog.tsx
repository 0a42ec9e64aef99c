import { useState } from 'react';
import { useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { TextInput } from '../controls/form-fields.tsx';
import { ReasonDialog } from '../layout/reason-dialog.tsx';
import { texts } from '../texts/texts.ts';

const text = texts.archive.retentionDialog;

/** Dialog for setting the retention, in years from the document date. */
export function RetentionDialog({ site }: { readonly site: string }) {
  const client = useContractClient();
  const { data: summary } = useQuery('archive.summary', { site });
  const [enteredYears, setEnteredYears] = useState<string | null>(null);
  const years = enteredYears ?? String(summary?.retention_years ?? '');
  const yearsError = /^\s*([1-9]\d?|100)?\s*$/.test(years) ? null : text.yearsWrong;
  return (
    <ReasonDialog
      site={site}
      title={text.title}
      submitLabel={text.run}
      placeholder={text.placeholder}
      blockedReason={yearsError}
      onSubmit={(reason) =>
        client.archive.retain({ site, years: years.trim() === '' ? null : Number(years), reason })
      }
      successText={() => text.done}
    >
      <p>{text.text}</p>
      <TextInput
        label={text.years}
        hint={text.yearsHint}
        value={years}
        onChange={setEnteredYears}
        error={yearsError}
        numeric
        autoFocus
        maxLength={3}
      />
    </ReasonDialog>
  );
}
