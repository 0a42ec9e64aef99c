import { create } from 'zustand';
import { createOffsetReader } from '../../domain/ledger/service-time-zone.ts';
import { timeZoneTexts } from './time-zones.ts';

/** Choices for the time zone in which the window shows times: the site's, the user's, or UTC. */
export const timeZoneChoices = ['site', 'mine', 'utc'] as const;
export type TimeZoneChoice = (typeof timeZoneChoices)[number];

/** Time zones for displaying times. An undefined zone is the user's own, as set in the operating system. */
interface DisplayZone {
  readonly choice: TimeZoneChoice;
  readonly timeZone: string | undefined;
  /** Zone of the site's times and dates. */
  readonly siteZone: string | undefined;
}

/** Time zone in which every screen, copied row and exported list shows times. */
export const useDisplayZone = create<DisplayZone>(() => ({
  choice: 'mine',
  timeZone: undefined,
  siteZone: undefined,
}));

/** Sets the display zone. The zone of a site without records (null) is unknown, so UTC is shown instead. */
export function setDisplayZone(choice: TimeZoneChoice, site: string | null): void {
  const siteZone = site ?? 'UTC';
  const timeZone = { site: siteZone, mine: undefined, utc: 'UTC' }[choice];
  const before = useDisplayZone.getState();
  if (before.choice === choice && before.timeZone === timeZone && before.siteZone === siteZone) return;
  useDisplayZone.setState({ choice, timeZone, siteZone });
}

/** Names the display zone with its UTC offsets in the current year, for example `Site time, UTC−5/−4`. */
export function describeDisplayZone(): string {
  const { choice, timeZone } = useDisplayZone.getState();
  const name = timeZoneTexts.choices[choice];
  return choice === 'utc' ? name : `${name}, ${formatZoneOffsets(timeZone, new Date().getUTCFullYear())}`;
}

/** Formats the UTC offsets of a zone during a year, for example `UTC−5/−4`, `UTC+5:30` or `UTC`. */
export function formatZoneOffsets(timeZone: string | undefined, year: number): string {
  const offsetAt = createOffsetReader(timeZone);
  const offsets = [0, 6].map((month) => offsetAt(Date.UTC(year, month, 1)));
  const shown = [...new Set(offsets)].toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  return shown.join() === '+00:00' ? 'UTC' : `UTC${shown.map(formatOffset).join('/')}`;
}

function formatOffset(offset: string): string {
  const [, sign, hours, minutes] = /^([+-])0?(\d+):(\d\d)$/.exec(offset) ?? [];
  return `${sign === '-' ? '−' : '+'}${hours}${minutes === '00' ? '' : `:${minutes}`}`;
}
