/**
 * Choices for the display of dates, with the locale whose format each one uses. `system` is that of the browser. The
 * others are English, as the window is, so that names of months and days match it.
 */
export const dateFormatLocales = {
  system: undefined,
  dayMonth: 'en-GB',
  monthDay: 'en-US',
  dots: 'en-CH',
  iso: 'en-SE',
} as const;
export type DateFormat = keyof typeof dateFormatLocales;

/** Choices for the display of numbers and amounts, with the locale whose format each one uses. */
export const numberFormatLocales = {
  system: undefined,
  commaPoint: 'en-US',
  pointComma: 'de-DE',
  spaceComma: 'fr-FR',
  apostrophePoint: 'de-CH',
} as const;
export type NumberFormat = keyof typeof numberFormatLocales;

interface DisplayFormats {
  readonly date: DateFormat;
  readonly number: NumberFormat;
}

let current: DisplayFormats = { date: 'system', number: 'system' };

/** Sets the date and number formats of the window's texts. The caller must render the window again. */
export function applyDisplayFormats(formats: DisplayFormats): void {
  current = formats;
}

export const getDateFormat = (): DateFormat => current.date;

/** Returns the locale for numbers, or undefined for that of the browser. */
export const getNumberLocale = (): string | undefined => numberFormatLocales[current.number];
