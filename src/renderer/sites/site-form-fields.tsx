import { bindFormField, SelectField, TextInput } from '../controls/form-fields.tsx';
import { texts } from '../texts/texts.ts';
import { ApiKeyField } from './api-key-field.tsx';
import type { SessionKeyChoice } from './session-key-option.tsx';
import type { SiteDraft, SiteDraftErrors } from './site-draft.ts';
import './sites.css';

const text = texts.sites;

interface SiteFieldsProps {
  readonly draft: SiteDraft;
  readonly onChange: (draft: SiteDraft) => void;
  /** Validation errors, or null until the user first tries to submit the form. */
  readonly problems: SiteDraftErrors | null;
  /** Choice of how the API key of a new site is kept. Null for an existing site, which has no field for its key. */
  readonly sessionKey: SessionKeyChoice | null;
}

export function SiteFormFields({ draft, onChange, problems, sessionKey }: SiteFieldsProps) {
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
      {sessionKey && (
        <ApiKeyField
          label={text.key}
          {...bind('key')}
          error={problems?.key ?? null}
          sessionKey={sessionKey}
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
          hint={sessionKey ? text.newCurrencyHint : text.currencyHint}
          value={draft.currency}
          onChange={(currency) => onChange({ ...draft, currency: currency.toUpperCase() })}
          error={problems?.currency ?? null}
          maxLength={3}
        />
      </div>
    </>
  );
}
