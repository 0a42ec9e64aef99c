import { type CalendarDate, parseDate } from '@internationalized/date';
import { CalendarDays, ChevronLeft, ChevronRight } from 'lucide-react';
import {
  Button as AriaButton,
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarHeading,
  DateInput,
  DatePicker,
  DateSegment,
  Dialog,
  FieldError,
  Group,
  Label,
  Popover,
  Text,
} from 'react-aria-components';
import { isCalendarDate } from '../../domain/ledger/dates.ts';
import { texts } from '../texts/texts.ts';
import './date-field.css';

interface DateFieldProps {
  readonly label: string;
  /** Date as `YYYY-MM-DD`, or empty. Any other text is shown as empty. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** First and last date that can be chosen. */
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly hint?: string;
  readonly error?: string | null;
}

const toDate = (text: string | undefined): CalendarDate | null =>
  text !== undefined && isCalendarDate(text) ? parseDate(text) : null;

/** Field for a calendar date, typed part by part or chosen from a calendar. The value is empty until it is complete. */
export function DateField({ label, value, onChange, min, max, hint, error }: DateFieldProps) {
  return (
    <DatePicker
      className="field"
      value={toDate(value)}
      onChange={(date) => onChange(date?.toString() ?? '')}
      minValue={toDate(min)}
      maxValue={toDate(max)}
      {...(error ? { isInvalid: true } : {})}
      validationBehavior="aria"
      shouldForceLeadingZeros
    >
      <Label>{label}</Label>
      <Group className="input date-input">
        <DateInput className="date-segments">
          {(segment) => <DateSegment segment={segment} className="date-segment" />}
        </DateInput>
        <AriaButton className="date-open">
          <CalendarDays size={14} aria-hidden="true" />
        </AriaButton>
      </Group>
      {hint && !error && <Text slot="description">{hint}</Text>}
      <FieldError>{error}</FieldError>
      <Popover className="popover" offset={4}>
        <Dialog className="date-dialog" aria-label={label}>
          <Calendar className="calendar">
            <header>
              <AriaButton slot="previous" className="date-open" aria-label={texts.controls.previousMonth}>
                <ChevronLeft size={15} aria-hidden="true" />
              </AriaButton>
              <CalendarHeading className="calendar-heading" />
              <AriaButton slot="next" className="date-open" aria-label={texts.controls.nextMonth}>
                <ChevronRight size={15} aria-hidden="true" />
              </AriaButton>
            </header>
            <CalendarGrid>{(date) => <CalendarCell date={date} className="calendar-cell" />}</CalendarGrid>
          </Calendar>
        </Dialog>
      </Popover>
    </DatePicker>
  );
}
