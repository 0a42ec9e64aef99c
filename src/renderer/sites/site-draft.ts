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
    currency: isCurrency(draft.currency, needsKey) ? null : missing.currency,
  };
}

export function isSiteDraftValid(problems: SiteDraftErrors): boolean {
  return Object.values(problems).every((problem) => problem === null);
}

/** Returns true for a subdomain, for example `acme`, and for a URL. */
function isAddress(text: string): boolean {
  const address = text.trim();
  if (/^[a-z0-9][a-z0-9-]*$/i.test(address)) return true;
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}

/** Returns true for a currency code. A new site may leave it empty, because the service may report it. */
const isCurrency = (text: string, isNewSite: boolean): boolean =>
  /^[A-Z]{3}$/.test(text) || (isNewSite && text === '');
