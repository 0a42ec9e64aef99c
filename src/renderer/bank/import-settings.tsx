import type { AccountKind, BankAccount, BankProfile, ImportPlan } from '../../contract/index.ts';
import { SelectField, TextInput } from '../controls/form-fields.tsx';
import { texts } from '../texts/texts.ts';

const text = texts.bank;
/** Option value for an account that the import will create. */
export const NEW_ACCOUNT_KEY = 'new';

/** Target account and profile chosen for an import. */
export interface ImportSettingsValue {
  /** Account id, `NEW_ACCOUNT_KEY`, or an empty string until an account is chosen. */
  readonly account: string;
  readonly name: string;
  readonly kind: AccountKind;
  /** Profile name, or an empty string to detect the format from the file. */
  readonly profile: string;
}

interface ImportSettingsProps {
  readonly value: ImportSettingsValue;
  readonly accounts: readonly BankAccount[];
  /** Source of the account choice: `user` if the user chose the account, null if the source is unknown. */
  readonly detectedBy: ImportPlan['account']['by'];
  /** Existing profiles, or null if the file is not a table. */
  readonly profiles: readonly BankProfile[] | null;
  readonly onChange: (change: Partial<ImportSettingsValue>) => void;
}

/** Shows the fields for the target account and the profile of an import. */
export function ImportSettingsForm({ value, accounts, detectedBy, profiles, onChange }: ImportSettingsProps) {
  return (
    <div className="bank-settings">
      <SelectField
        label={text.account}
        value={value.account}
        placeholder={text.chooseAccount}
        {...(detectedBy !== null && detectedBy !== 'user' && { hint: text.accountHints[detectedBy] })}
        onChange={(account) => onChange({ account })}
        options={[
          ...accounts.map(({ id, name }) => ({ value: String(id), label: name })),
          { value: NEW_ACCOUNT_KEY, label: text.newAccount },
        ]}
      />
      {value.account === NEW_ACCOUNT_KEY && (
        <>
          <TextInput
            label={text.accountName}
            hint={text.accountNameHint}
            value={value.name}
            onChange={(name) => onChange({ name })}
            maxLength={100}
          />
          <SelectField
            label={text.accountKind}
            value={value.kind}
            onChange={(kind) => onChange({ kind })}
            options={(['bank', 'processor', 'ledger'] as const).map((value) => ({
              value,
              label: text.accountKinds[value],
            }))}
          />
        </>
      )}
      {profiles !== null && (
        <SelectField
          label={text.profile}
          value={value.profile}
          onChange={(profile) => onChange({ profile })}
          options={[
            { value: '', label: text.detected },
            ...profiles.map(({ name, label }) => ({ value: name, label })),
          ]}
        />
      )}
    </div>
  );
}
