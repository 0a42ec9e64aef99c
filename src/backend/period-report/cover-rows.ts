import type { Schedule, Workpaper } from '../../contract/index.ts';
import {
  formatSigningKey,
  NO_SIGNING_KEY_LABEL,
  RECEIPT_NOTE,
  SIGNING_KEYS_NOTE,
  signatureRoleLabels,
} from '../../domain/labels/periods.ts';
import { formatMoney } from '../../domain/ledger/index.ts';

/** Line of the report's cover. `heading` marks the first line of a section. */
export interface CoverRow {
  readonly label: string;
  readonly text: string;
  readonly heading?: true;
  /** Receipt to print as a QR code below the line. */
  readonly receipt?: string | undefined;
}

const stateLabels: Readonly<Record<string, string>> = {
  none: 'not opened (draft)',
  open: 'open (draft)',
  submitted: 'submitted for review',
  reviewed: 'reviewed',
  closed: 'closed and locked',
};
const roleLabels: Readonly<Record<string, string>> = signatureRoleLabels;

/** Returns the cover of the report, which is the same in all formats. */
export function buildCoverRows({ head, sections, qualifications, explained, digest }: Workpaper): CoverRow[] {
  const { site, title, base_url, period, as_at, since, state, signatures, app_version, audit, made_at } =
    head;
  return [
    { label: 'Merchant site', text: `${title} (${site}), ${base_url}` },
    { label: 'Period', text: `${period.period}: ${period.first} to ${period.last}` },
    { label: 'As of', text: `${as_at}; items dated ${since} or later` },
    { label: 'Status', text: stateLabels[state] ?? state },
    {
      label: 'Result',
      text: explained
        ? sections.some(({ schedules }) => schedules.some(({ materiality }) => materiality?.passed))
          ? 'Every difference and item is explained, or passed as immaterial.'
          : 'Every schedule foots, and every item is explained.'
        : 'Not proved. See the qualifications.',
    },
    ...sections.flatMap(({ currency, schedules }) =>
      schedules.map(({ id, title: name, difference_in_cents, unexplained, materiality }) => ({
        label: `${id} ${name}, ${currency}`,
        text: `difference ${formatMoney(difference_in_cents)}; ${unexplained.count} unexplained, ${formatMoney(unexplained.amount_in_cents)}${formatMateriality(materiality)}`,
      })),
    ),
    { label: 'Sign-off', text: SIGNING_KEYS_NOTE, heading: true },
    ...(signatures.length === 0 ? [{ label: '', text: 'Not signed.' }] : []),
    ...signatures.flatMap(({ role, user, at, text, self_review, key, statements, receipt }) => [
      {
        label: roleLabels[role] ?? role,
        text: `${user}, ${formatMinute(at)} UTC${self_review ? ', a self-review' : ''}${text === null ? '' : `: ${text}`}`,
      },
      ...statements.map(({ text: statement, confirmed }) => ({
        label: '',
        text: `${confirmed ? 'Confirmed' : 'Not confirmed'}: ${statement}`,
      })),
      { label: '', text: key === null ? NO_SIGNING_KEY_LABEL : `Key ${formatSigningKey(key)}` },
      { label: '', text: `Receipt ${receipt}` },
    ]),
    ...(signatures.length === 0
      ? []
      : [{ label: '', text: RECEIPT_NOTE, receipt: signatures.at(-1)?.receipt }]),
    { label: 'Qualifications', text: qualifications.length === 0 ? 'None.' : '', heading: true },
    ...qualifications.map(({ message }) => ({ label: '', text: message })),
    { label: 'Made', text: `${formatMinute(made_at)} UTC by Tieout ${app_version}`, heading: true },
    { label: 'Audit log', text: `${audit.entries} entries; receipt ${audit.head ?? 'none'}` },
    { label: 'Digest of the figures', text: digest },
  ];
}

const formatMateriality = (materiality: Schedule['materiality']): string =>
  materiality === null
    ? ''
    : `; threshold ${formatMoney(materiality.threshold_in_cents)}${materiality.passed ? ', passed as immaterial' : ''}`;

const formatMinute = (at: string): string => at.slice(0, 16).replace('T', ' ');
