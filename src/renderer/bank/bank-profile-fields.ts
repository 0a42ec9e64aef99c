import type { BankProfile } from '../../contract/index.ts';

/** Profile fields that can be edited in the window. All other fields remain unchanged. */
export const bankProfileFields = [
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
export type BankProfileField = (typeof bankProfileFields)[number];

export type BankProfileContent = BankProfile['profile'];

/** Returns the column header that is mapped to a field, or an empty string if none is mapped. */
export function getMappedHeader(profile: BankProfileContent, field: BankProfileField): string {
  return columnsOf(profile)[field]?.[0] ?? '';
}

/** Returns the column headers that the user can choose from: those in the table and those named in the profile. */
export function getAvailableHeaders(profile: BankProfileContent): string[] {
  return [...new Set([...stringsIn(profile['recognized_by']), ...Object.values(columnsOf(profile)).flat()])];
}

/** Returns the profile with a field mapped to the given column header. An empty header removes the mapping. */
export function mapHeaderToField(
  profile: BankProfileContent,
  field: BankProfileField,
  header: string,
): BankProfileContent {
  const { [field]: _, ...others } = columnsOf(profile);
  return { ...profile, columns: header === '' ? others : { ...others, [field]: [header] } };
}

/** Returns the profile with the given label and a name derived from it: “Main Bank, CSV” becomes `main-bank-csv`. */
export function renameBankProfile(profile: BankProfileContent, label: string): BankProfileContent {
  return { ...profile, label: label.trim(), name: suggestProfileName(label) };
}

/** Derives a name of lowercase letters, digits, and dashes from a label. May be empty. */
export function suggestProfileName(label: string): string {
  const plain = label.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '');
  return plain
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '');
}

function columnsOf(profile: BankProfileContent): Record<string, string[]> {
  const columns = profile['columns'];
  if (typeof columns !== 'object' || columns === null || Array.isArray(columns)) return {};
  return Object.fromEntries(Object.entries(columns).map(([field, headers]) => [field, stringsIn(headers)]));
}

const stringsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
