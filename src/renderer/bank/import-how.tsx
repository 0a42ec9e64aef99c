import type { AccountKind, BankAccount, BankProfile, ImportPlan } from '../../contract/index.ts';
import { Choice, Field } from '../controls/field.tsx';
import { words } from '../words/words.ts';

const text = words.bank;
/** Stands for an account that the import makes. */
export const NEW_ACCOUNT = 'new';

/** What a file is read into, and by which profile. */
export interface How {
  /** An account’s id, `NEW_ACCOUNT`, or nothing as long as nobody has said it. */
  readonly account: string;
  readonly name: string;
  readonly kind: AccountKind;
  /** The name of a profile; empty: found out from the file. */
  readonly profile: string;
}

interface ImportHowProps {
  readonly how: How;
  readonly accounts: readonly BankAccount[];
  /** How the file told its account by itself. */
  readonly told: ImportPlan['account']['by'];
  /** Those there are, where the file is a table; null where it is none. */
  readonly profiles: readonly BankProfile[] | null;
  readonly onChange: (change: Partial<How>) => void;
}

export function ImportHow({ how, accounts, told, profiles, onChange }: ImportHowProps) {
  return (
    <div className="bank-how">
      <Choice
        label={text.account}
        value={how.account}
        placeholder={text.chooseAccount}
        {...(told !== null && told !== 'asked' && { hint: text.told[told] })}
        onChange={(account) => onChange({ account })}
        options={[
          ...accounts.map(({ id, name }) => ({ value: String(id), label: name })),
          { value: NEW_ACCOUNT, label: text.newAccount },
        ]}
      />
      {how.account === NEW_ACCOUNT && (
        <>
          <Field
            label={text.accountName}
            hint={text.accountNameHint}
            value={how.name}
            onChange={(name) => onChange({ name })}
            maxLength={100}
          />
          <Choice
            label={text.accountKind}
            value={how.kind}
            onChange={(kind) => onChange({ kind })}
            options={(['bank', 'processor', 'ledger'] as const).map((value) => ({
              value,
              label: text.accountKinds[value],
            }))}
          />
        </>
      )}
      {profiles !== null && (
        <Choice
          label={text.profile}
          value={how.profile}
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
