import { bindFormField, SelectField, TextInput } from '../controls/form-fields.tsx';
import { texts } from '../texts/texts.ts';
import type { SiteDraft, SiteDraftErrors } from './site-draft.ts';
import './sites.css';

const text = texts.sites;

interface SiteFieldsProps {
  readonly draft: SiteDraft;
  readonly onChange: (draft: SiteDraft) => void;
  /** Validation errors, or null until the user first tries to submit the form. */
  readonly problems: SiteDraftErrors | null;
  /** True to show the field for the API key. */
  readonly withKey: boolean;
}

export function SiteFormFields({ draft, onChange, problems, withKey }: SiteFieldsProps) {
  const bind = (name: Exclude<keyof SiteDraft, 'format'>) => bindFormField(draft, onChange, name);
  return (
    <>
      <TextInput
        label={text.name}
        hint={text.nameHint}
        {...bind('title')}
        error={problems?.title ?? null}
        placeholder="Acme Subscriptions"
        maxLength={80}
        autoFocus
        required
      />
      <TextInput
        label={text.address}
        hint={text.addressHint}
        {...bind('address')}
        error={problems?.address ?? null}
        placeholder="https://acme.example.com"
        maxLength={500}
        required
      />
      {withKey && (
        <TextInput
          label={text.key}
          hint={text.keyHint}
          {...bind('key')}
          error={problems?.key ?? null}
          type="password"
          maxLength={500}
          required
        />
      )}
      <div className="site-pair">
        <SelectField
          label={text.format}
          hint={text.formatHint}
          {...bindFormField(draft, onChange, 'format')}
          options={[
            { value: 'json', label: text.formats.json },
            { value: 'xml', label: text.formats.xml },
          ]}
        />
        <TextInput
          label={text.currency}
          hint={withKey ? text.newCurrencyHint : text.currencyHint}
          value={draft.currency}
          onChange={(currency) => onChange({ ...draft, currency: currency.toUpperCase() })}
          error={problems?.currency ?? null}
          maxLength={3}
        />
      </div>
    </>
  );
}
