import { CalendarDays, ChevronDown } from 'lucide-react';
import { useQuery } from '../../backend-client/backend-hooks.ts';
import { CommandButton } from '../../commands/command-button.tsx';
import { Button } from '../../controls/button.tsx';
import { Menu } from '../../controls/menu.tsx';
import { formatMonth } from '../../texts/date-times.ts';
import { texts } from '../../texts/texts.ts';
import { ALL_TIME, chooseWorkingMonth } from './working-month.ts';

const text = texts.overview;

function formatPeriod(period: string): string {
  return period === ALL_TIME ? text.allTime : formatMonth(period);
}

interface WorkingMonthMenuProps {
  readonly site: string;
  readonly period: string | null;
}

/** Menu of the months with records, to choose the working month. Renders nothing while loading. */
export function WorkingMonthMenu({ site, period }: WorkingMonthMenuProps) {
  const { data } = useQuery('check.months', { site });
  if (period === null) return null;
  const months = data?.months ?? [];
  const years = [...new Set(months.map((month) => month.period.slice(0, 4)))];
  const entry = (value: string, open = 0) => ({
    id: value,
    label: formatPeriod(value),
    isChecked: value === period,
    ...(open > 0 && { count: text.openCount(open) }),
    run: () => chooseWorkingMonth(site, value),
  });
  return (
    <span className="period-choice">
      {period !== ALL_TIME && <CommandButton id="overview.previous" kind="quiet" iconOnly />}
      <Menu
        label={text.choosePeriod}
        placement="bottom end"
        trigger={
          <Button icon={CalendarDays} iconAfter={ChevronDown}>
            <span className="visually-hidden">{text.period}: </span>
            {formatPeriod(period)}
          </Button>
        }
        groups={[
          { entries: [entry(ALL_TIME)] },
          ...years.map((year) => ({
            title: year,
            entries: months
              .filter((month) => month.period.startsWith(year))
              .map((month) => entry(month.period, month.open)),
          })),
        ]}
      />
      {period !== ALL_TIME && <CommandButton id="overview.next" kind="quiet" iconOnly />}
    </span>
  );
}
