import { useState } from 'react';
import { useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { TextInput } from '../controls/form-fields.tsx';
import { ReasonDialog } from '../layout/reason-dialog.tsx';
import { texts } from '../texts/texts.ts';

const text = texts.archive.retain;

/** Decides for how many years from their dates documents are kept. */
export function RetentionDialog({ site }: { readonly site: string }) {
  const client = useContractClient();
  const { data: summary } = useQuery('archive.summary', { site });
  const [typed, setTyped] = useState<string | null>(null);
  const years = typed ?? String(summary?.retention_years ?? '');
  const wrong = /^\s*([1-9]\d?|100)?\s*$/.test(years) ? null : text.yearsWrong;
  return (
    <ReasonDialog
      site={site}
      title={text.title}
      submitLabel={text.run}
      placeholder={text.placeholder}
      blockedReason={wrong}
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
        onChange={setTyped}
        error={wrong}
        numeric
        autoFocus
        maxLength={3}
      />
    </ReasonDialog>
  );
}
