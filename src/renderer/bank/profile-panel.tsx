import { useState } from 'react';
import type { BankProfile } from '../../contract/index.ts';
import { useAction, useClient } from '../backend/hooks.ts';
import { Button } from '../controls/button.tsx';
import { Choice, Field, Toggle } from '../controls/field.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { notify } from '../view/view.ts';
import { words } from '../words/words.ts';
import {
  headerOf,
  headersOf,
  labelled,
  nameOf,
  type ProfileContent,
  profileFields,
  withHeader,
} from './profile-draft.ts';

const text = words.bank.profiles;
const dateOrders = ['ymd', 'dmy', 'mdy', 'ydm'] as const;
const decimalMarks = ['.', ','] as const;

interface ProfilePanelProps {
  readonly site: string;
  /** How the table is read now. */
  readonly profile: ProfileContent;
  /** The saved one that it is read by; null for one built in, or found out from the file. */
  readonly saved: BankProfile | null;
  /** Reads the file anew in another way. */
  readonly onTry: (profile: ProfileContent) => void;
  /** It is kept under this name, or not kept any more. */
  readonly onKept: (name: string | null) => void;
}

/** The way a table is read: changed and tried on the file at once, kept under a name for the next file, or forgotten. */
export function ProfilePanel({ site, profile, saved, onTry, onKept }: ProfilePanelProps) {
  const client = useClient();
  const [typed, setTyped] = useState<string | null>(null);
  const label = typed ?? saved?.label ?? '';
  const keeping = useAction(async () => {
    const before = saved;
    const kept = await client.bank.saveProfile({ site, profile: labelled(profile, label) });
    if (before && before.name !== kept.name) await client.bank.removeProfile({ site, name: before.name });
    setTyped(null);
    onKept(kept.name);
    notify(text.kept(kept.label), 'good');
  });
  const forgetting = useAction(async (gone: BankProfile) => {
    await client.bank.removeProfile({ site, name: gone.name });
    setTyped(null);
    onKept(null);
    notify(text.forgotten(gone.label), 'good', async () => {
      await client.bank.saveProfile({ site, profile: gone.profile });
      notify(text.kept(gone.label), 'good');
    });
  });
  const headers = headersOf(profile);
  const options = [{ value: '', label: text.noColumn }, ...headers.map((value) => ({ value, label: value }))];
  const order = dateOrders.find((known) => known === profile['date_order']);
  const mark = decimalMarks.find((known) => known === profile['decimal_mark']);
  const failed = keeping.error ?? forgetting.error;
  return (
    <details className="bank-profile">
      <summary>{text.title}</summary>
      <div className="bank-how">
        {headers.length > 0 &&
          profileFields.map((field) => (
            <Choice
              key={field}
              label={text.fields[field]}
              value={headerOf(profile, field)}
              onChange={(header) => onTry(withHeader(profile, field, header))}
              options={options}
            />
          ))}
        {order !== undefined && (
          <Choice
            label={text.dates}
            value={order}
            onChange={(value) => onTry({ ...profile, date_order: value })}
            options={dateOrders.map((value) => ({ value, label: text.dateOrders[value] }))}
          />
        )}
        {mark !== undefined && (
          <Choice
            label={text.decimals}
            value={mark}
            onChange={(value) => onTry({ ...profile, decimal_mark: value })}
            options={decimalMarks.map((value) => ({ value, label: text.decimalMarks[value] }))}
          />
        )}
        <Toggle on={profile['turned'] === true} onChange={(turned) => onTry({ ...profile, turned })}>
          {text.turned}
        </Toggle>
      </div>
      <div className="bank-profile-keep">
        <Field
          label={text.name}
          hint={text.nameHint}
          value={label}
          onChange={setTyped}
          maxLength={60}
          placeholder={text.nameExample}
        />
        <Button
          pending={keeping.running}
          reason={nameOf(label) === '' ? text.nameMissing : null}
          onPress={() => void keeping.run()}
        >
          {saved === null ? text.keep : text.keepChanges}
        </Button>
        {saved && (
          <Button kind="danger" pending={forgetting.running} onPress={() => void forgetting.run(saved)}>
            {text.forget}
          </Button>
        )}
      </div>
      {failed && <ErrorNote error={failed} site={site} />}
    </details>
  );
}
