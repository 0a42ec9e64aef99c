import { texts } from '../texts/texts.ts';

/** Site data as entered in the form. */
export interface SiteDraft {
  readonly title: string;
  readonly address: string;
  readonly key: string;
  readonly format: 'json' | 'xml';
  readonly currency: string;
}

export type SiteDraftErrors = {
  readonly [field in 'title' | 'address' | 'key' | 'currency']: string | null;
};

/** Returns the validation error of each field, or null if a field is valid. The backend validates the data again. */
export function validateSiteDraft(draft: SiteDraft, needsKey: boolean): SiteDraftErrors {
  const { missing } = texts.sites;
  return {
    title: draft.title.trim() === '' ? missing.title : null,
    address: isAddress(draft.address) ? null : missing.address,
    key: needsKey && draft.key.trim() === '' ? missing.key : null,
    currency: /^[A-Z]{3}$/.test(draft.currency) ? null : missing.currency,
  };
}

export function isSiteDraftValid(problems: SiteDraftErrors): boolean {
  return Object.values(problems).every((problem) => problem === null);
}

function isAddress(text: string): boolean {
  const address = text.trim();
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}
