import { useState } from 'react';
import type { BankProfile } from '../../contract/index.ts';
import { useAction, useContractClient } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { SelectField, TextInput, ToggleSwitch } from '../controls/form-fields.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { showNotice } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import {
  type BankProfileContent,
  bankProfileFields,
  getAvailableHeaders,
  getMappedHeader,
  mapHeaderToField,
  renameBankProfile,
  suggestProfileName,
} from './bank-profile-fields.ts';

const text = texts.bank.profiles;
const dateOrders = ['ymd', 'dmy', 'mdy', 'ydm'] as const;
const decimalMarks = ['.', ','] as const;

interface ProfilePanelProps {
  readonly site: string;
  readonly profile: BankProfileContent;
  /** Saved profile in use, or null if the profile is built in or was detected from the file. */
  readonly saved: BankProfile | null;
  readonly onProfileChange: (profile: BankProfileContent) => void;
  /** Called with the profile's name after saving, or with null after deleting the profile. */
  readonly onSaved: (name: string | null) => void;
}

/** Form for the profile with which a file is read. Changes apply at once and can be saved for later files. */
export function BankProfilePanel({ site, profile, saved, onProfileChange, onSaved }: ProfilePanelProps) {
  return (
    <details className="bank-profile">
      <summary>{text.title}</summary>
      <ColumnMapping profile={profile} onProfileChange={onProfileChange} />
      <SaveProfile site={site} profile={profile} saved={saved} onSaved={onSaved} />
    </details>
  );
}

function ColumnMapping({ profile, onProfileChange }: Pick<ProfilePanelProps, 'profile' | 'onProfileChange'>) {
  const headers = getAvailableHeaders(profile);
  const options = [{ value: '', label: text.noColumn }, ...headers.map((value) => ({ value, label: value }))];
  const dateOrder = dateOrders.find((known) => known === profile['date_order']);
  const decimalMark = decimalMarks.find((known) => known === profile['decimal_mark']);
  return (
    <div className="bank-settings">
      {headers.length > 0 &&
        bankProfileFields.map((field) => (
          <SelectField
            key={field}
            label={text.fields[field]}
            value={getMappedHeader(profile, field)}
            onChange={(header) => onProfileChange(mapHeaderToField(profile, field, header))}
            options={options}
          />
        ))}
      {dateOrder !== undefined && (
        <SelectField
          label={text.dates}
          value={dateOrder}
          onChange={(value) => onProfileChange({ ...profile, date_order: value })}
          options={dateOrders.map((value) => ({ value, label: text.dateOrders[value] }))}
        />
      )}
      {decimalMark !== undefined && (
        <SelectField
          label={text.decimals}
          value={decimalMark}
          onChange={(value) => onProfileChange({ ...profile, decimal_mark: value })}
          options={decimalMarks.map((value) => ({ value, label: text.decimalMarks[value] }))}
        />
      )}
      <ToggleSwitch
        on={profile['turned'] === true}
        onChange={(turned) => onProfileChange({ ...profile, turned })}
      >
        {text.invertSign}
      </ToggleSwitch>
    </div>
  );
}

/** Form for saving the profile under a name or deleting the saved profile. */
function SaveProfile({
  site,
  profile,
  saved,
  onSaved,
}: Pick<ProfilePanelProps, 'site' | 'profile' | 'saved' | 'onSaved'>) {
  const client = useContractClient();
  const [typed, setTyped] = useState<string | null>(null);
  const label = typed ?? saved?.label ?? '';
  const saving = useAction(async () => {
    const stored = await client.bank.saveProfile({ site, profile: renameBankProfile(profile, label) });
    if (saved && saved.name !== stored.name) await client.bank.removeProfile({ site, name: saved.name });
    setTyped(null);
    onSaved(stored.name);
    showNotice(text.saved(stored.label), 'good');
  });
  const deleting = useAction(async (deleted: BankProfile) => {
    await client.bank.removeProfile({ site, name: deleted.name });
    setTyped(null);
    onSaved(null);
    showNotice(text.deleted(deleted.label), 'good', async () => {
      await client.bank.saveProfile({ site, profile: deleted.profile });
      showNotice(text.saved(deleted.label), 'good');
    });
  });
  const error = saving.error ?? deleting.error;
  return (
    <>
      <div className="bank-profile-keep">
        <TextInput
          label={text.name}
          hint={text.nameHint}
          value={label}
          onChange={setTyped}
          maxLength={60}
          placeholder={text.nameExample}
        />
        <Button
          isPending={saving.running}
          disabledReason={suggestProfileName(label) === '' ? text.nameMissing : null}
          onPress={() => void saving.run()}
        >
          {saved === null ? text.save : text.saveChanges}
        </Button>
        {saved && (
          <Button kind="danger" isPending={deleting.running} onPress={() => void deleting.run(saved)}>
            {text.delete}
          </Button>
        )}
      </div>
      {error && <ErrorMessage error={error} site={site} />}
    </>
  );
}
