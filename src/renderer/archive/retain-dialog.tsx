import { useState } from 'react';
import { useClient, useQuery } from '../backend/hooks.ts';
import { Field } from '../controls/field.tsx';
import { ReasonDialog } from '../frame/reason-dialog.tsx';
import { words } from '../words/words.ts';

const text = words.archive.retain;

/** Decides for how many years from their dates documents are kept. */
export function RetainDialog({ site }: { readonly site: string }) {
  const client = useClient();
  const { data: summary } = useQuery('archive.summary', { site });
  const [typed, setTyped] = useState<string | null>(null);
  const years = typed ?? String(summary?.retention_years ?? '');
  const wrong = /^\s*([1-9]\d?|100)?\s*$/.test(years) ? null : text.yearsWrong;
  return (
    <ReasonDialog
      site={site}
      title={text.title}
      run={text.run}
      placeholder={text.placeholder}
      wrong={wrong}
      act={(reason) =>
        client.archive.retain({ site, years: years.trim() === '' ? null : Number(years), reason })
      }
      done={() => text.done}
    >
      <p>{text.text}</p>
      <Field
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
