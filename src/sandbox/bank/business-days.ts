import { SECONDS_PER_DAY } from '../simulation/time-zone.ts';

const toDate = (day: number): string => new Date(day * SECONDS_PER_DAY * 1000).toISOString().slice(0, 10);
const toDayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / (SECONDS_PER_DAY * 1000);

export const addDays = (date: string, days: number): string => toDate(toDayNumber(date) + days);

/** Returns the date that is this many working days later. With 0, a date on a weekend becomes the Monday after it. */
export function addWorkingDays(date: string, after: number): string {
  let day = toDayNumber(date);
  const skipWeekend = () => {
    while (isWeekend(day)) day++;
  };
  skipWeekend();
  for (let left = after; left > 0; left--) {
    day++;
    skipWeekend();
  }
  return toDate(day);
}

/** January 1, 1970, was a Thursday. */
const isWeekend = (day: number): boolean => (day + 4) % 7 === 0 || (day + 4) % 7 === 6;
