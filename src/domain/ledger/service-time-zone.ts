/** Time of a record as the service sent it: the instant in UTC milliseconds, and its UTC offset, for example `-04:00`. */
export interface ServiceTimeSample {
  readonly at: number;
  readonly offset: string;
}

const OFFSET = /(?:Z|([+-]\d\d):?(\d\d))$/;
const FIXED_OFFSET = /^([+-])(\d\d):(\d\d)$/;

/** Returns the UTC offset of a datetime as `±hh:mm`, or null if the text does not end with one. */
export function readUtcOffset(text: string): string | null {
  const match = OFFSET.exec(text);
  if (match === null) return null;
  return match[1] === undefined || match[0] === '-00:00' ? '+00:00' : `${match[1]}:${match[2]}`;
}

/** Time zones that are tried first, because several zones fit most samples. Chosen by judgment. */
const COMMON_TIME_ZONES = [
  'UTC',
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'Europe/London',
  'Europe/Berlin',
  'Australia/Sydney',
];

/**
 * Returns a time zone in which all samples have the offset that the service sent: an IANA name, or the newest sample's
 * offset if no zone fits. The service never names its zone. Returns null without samples. `earlier` is the result for earlier
 * samples of the same service, which saves the search: zones that did not fit them are not tried again.
 */
export function inferTimeZone(
  samples: readonly ServiceTimeSample[],
  earlier: string | null = null,
): string | null {
  const [first, ...others] = samples;
  if (first === undefined) return null;
  const fits = (zone: string) => {
    const offsetAt = createOffsetReader(zone);
    return samples.every(({ at, offset }) => offsetAt(at) === offset);
  };
  const newest = others.reduce((latest, sample) => (sample.at > latest.at ? sample : latest), first);
  if (earlier !== null) {
    if (parseFixedOffset(earlier) !== null) return newest.offset;
    if (fits(earlier)) return earlier;
  }
  return COMMON_TIME_ZONES.find(fits) ?? Intl.supportedValuesOf('timeZone').find(fits) ?? newest.offset;
}

/** Returns the milliseconds of a zone given as a UTC offset (`±hh:mm`), or null for any other zone. */
export function parseFixedOffset(timeZone: string | undefined): number | null {
  const [, sign, hours, minutes] = FIXED_OFFSET.exec(timeZone ?? '') ?? [];
  if (hours === undefined) return null;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** Returns a function that returns a zone's UTC offset at an instant (UTC milliseconds), for example `-04:00`. */
export function createOffsetReader(timeZone: string | undefined): (at: number) => string {
  // Older browsers accept no offset as a time zone.
  if (timeZone !== undefined && parseFixedOffset(timeZone) !== null) return () => timeZone;
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  return (at) => {
    const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    return name.replace(/^GMT/, '') || '+00:00';
  };
}
