import { capitalize } from '../../text/capitalize.ts';
import { formatCount } from '../../text/format-count.ts';
import type { CertificateFact, ExcludedAlternatives, MatchCertificate } from '../model/match-types.ts';

const factTexts: Readonly<Record<CertificateFact['fact'], (value: string) => string>> = {
  id: (value) => `the line quotes ${value}`,
  name: () => 'the line names the customer',
  subscription: (value) => `the line quotes the customer’s number ${value}`,
  amount: () => 'only this line and this payment have the amount',
  payout: () => 'the payout’s amount is equal',
  reversal: (value) => `the line quotes ${value}, the payment that it takes back`,
};

/** Describes a certificate in a sentence: the facts, the alternatives, and what excludes them. */
export function describeCertificate({ facts, window, payments, lines }: MatchCertificate): string {
  const texts = new Set(facts.map(({ fact, value }) => factTexts[fact](value ?? '')));
  const isSum = facts.some(({ line }) => line !== undefined);
  const proof = capitalize([...texts, ...(isSum ? ['the amounts add up'] : [])].join(' and '));
  if (payments === null || lines === null) return `${proof}.`;
  const days = `${window.from_days} to ${window.to_days} days`;
  const others = [describeExcluded(payments, 'payment'), describeExcluded(lines, 'line')].filter(
    (text) => text !== '',
  );
  if (others.length === 0) return `${proof}. Nothing else has this amount within ${days}.`;
  return `${proof}. Others of this amount within ${days}: ${others.join('; ')}.`;
}

function describeExcluded(
  { considered, matched, id, name }: ExcludedAlternatives,
  noun: 'payment' | 'line',
): string {
  if (considered === 0) return '';
  const parts = [
    matched > 0 ? `${matched} matched elsewhere` : '',
    id > 0 ? `${id} with another or no id` : '',
    name > 0 ? `${name} of another customer` : '',
  ].filter((part) => part !== '');
  return `${formatCount(considered, noun)}, ${parts.join(', ')}`;
}
