import { SelectField, TextInput } from '../controls/form-fields.tsx';
import { texts } from '../texts/texts.ts';
import type { SiteDraft, SiteDraftProblems } from './site-form.ts';
import './sites.css';

const text = texts.sites;

interface SiteFieldsProps {
  readonly draft: SiteDraft;
  readonly onChange: (draft: SiteDraft) => void;
  /** Validation errors, or null until the user first tries to submit the form. */
  readonly problems: SiteDraftProblems | null;
  /** True to show the field for the API key. */
  readonly withKey: boolean;
}

export function SiteFields({ draft, onChange, problems, withKey }: SiteFieldsProps) {
  const set = (part: Partial<SiteDraft>) => onChange({ ...draft, ...part });
  return (
    <>
      <TextInput
        label={text.name}
        hint={text.nameHint}
        value={draft.title}
        onChange={(title) => set({ title })}
        error={problems?.title ?? null}
        placeholder="Acme Subscriptions"
        maxLength={80}
        autoFocus
        required
      />
      <TextInput
        label={text.address}
        hint={text.addressHint}
        value={draft.address}
        onChange={(address) => set({ address })}
        error={problems?.address ?? null}
        placeholder="https://acme.example.com"
        type="url"
        maxLength={500}
        required
      />
      {withKey && (
        <TextInput
          label={text.key}
          hint={text.keyHint}
          value={draft.key}
          onChange={(key) => set({ key })}
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
          value={draft.format}
          onChange={(format) => set({ format })}
          options={[
            { value: 'json', label: text.formats.json },
            { value: 'xml', label: text.formats.xml },
          ]}
        />
        <TextInput
          label={text.currency}
          hint={text.currencyHint}
          value={draft.currency}
          onChange={(currency) => set({ currency: currency.toUpperCase() })}
          error={problems?.currency ?? null}
          maxLength={3}
        />
      </div>
    </>
  );
}
