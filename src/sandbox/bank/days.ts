import { DAY } from '../zone.ts';

const dateOf = (day: number): string => new Date(day * DAY * 1000).toISOString().slice(0, 10);
const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / (DAY * 1000);

/** The date so many days later. */
export const later = (date: string, days: number): string => dateOf(dayOf(date) + days);

/** The date so many working days later; 0 gives the date itself, or the Monday after a weekend. */
export function workingDay(date: string, after: number): string {
  let day = dayOf(date);
  const skipWeekend = () => {
    while (isWeekend(day)) day++;
  };
  skipWeekend();
  for (let left = after; left > 0; left--) {
    day++;
    skipWeekend();
  }
  return dateOf(day);
}

/** The first of January 1970 was a Thursday. */
const isWeekend = (day: number): boolean => (day + 4) % 7 === 0 || (day + 4) % 7 === 6;
