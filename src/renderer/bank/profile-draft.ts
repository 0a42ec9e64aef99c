import type { BankProfile } from '../../contract/index.ts';

/** What of a profile can be changed in the window; the rest of it stays as it is. */
export const profileFields = [
  'booked_on',
  'value_on',
  'amount',
  'credit',
  'debit',
  'currency',
  'description',
  'reference',
  'counterparty',
  'bank_id',
  'balance',
] as const;
export type ProfileField = (typeof profileFields)[number];

export type ProfileContent = BankProfile['profile'];

/** The header that holds a field; empty where none does. */
export function headerOf(profile: ProfileContent, field: ProfileField): string {
  return columnsOf(profile)[field]?.[0] ?? '';
}

/** The headers that can be chosen from: those of the table, and those the profile names. */
export function headersOf(profile: ProfileContent): string[] {
  return [...new Set([...texts(profile['recognised_by']), ...Object.values(columnsOf(profile)).flat()])];
}

export function withHeader(profile: ProfileContent, field: ProfileField, header: string): ProfileContent {
  const { [field]: _, ...others } = columnsOf(profile);
  return { ...profile, columns: header === '' ? others : { ...others, [field]: [header] } };
}

/** Under a label, and the name that comes of it: “Main Bank, CSV” becomes `main-bank-csv`. */
export function labelled(profile: ProfileContent, label: string): ProfileContent {
  return { ...profile, label: label.trim(), name: nameOf(label) };
}

/** Lower-case letters, digits and dashes; empty where the label has none. */
export function nameOf(label: string): string {
  const plain = label.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '');
  return plain
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '');
}

function columnsOf(profile: ProfileContent): Record<string, string[]> {
  const columns = profile['columns'];
  if (typeof columns !== 'object' || columns === null || Array.isArray(columns)) return {};
  return Object.fromEntries(Object.entries(columns).map(([field, headers]) => [field, texts(headers)]));
}

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
