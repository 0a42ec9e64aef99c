import { Calendar } from 'lucide-react';
import { Button as AriaButton, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { Button } from '../controls/button.tsx';
import { DateField } from '../controls/date-field.tsx';
import { formatDate, getSiteToday } from '../texts/date-times.ts';
import { texts } from '../texts/texts.ts';
import { ClearFilterButton } from './choice-pill.tsx';
import { type DayRange, dayRangePresets, type FilterField, getPresetDayRange } from './filter-field.ts';

interface DayRangePillProps<F> {
  readonly field: Extract<FilterField<F>, { kind: 'days' }>;
  readonly filter: F;
  readonly onChange: (filter: F) => void;
}

/** Filter pill for a range of days, chosen from presets or entered as first and last day. */
export function DayRangePill<F>({ field, filter, onChange }: DayRangePillProps<F>) {
  const days = field.read(filter);
  const text = formatDayRange(days);
  const write = (next: DayRange) => onChange(field.write(filter, next));
  const { first, last } = field.storedDays ?? { first: null, last: null };
  return (
    <span className={text ? 'pill pill-active' : 'pill'}>
      <DialogTrigger>
        <AriaButton className="pill-part">
          <Calendar size={13} aria-hidden="true" />
          {field.label}
          {text && <b>{text}</b>}
        </AriaButton>
        <Popover className="popover" offset={4} placement="bottom start">
          <Dialog className="popover-dialog days" aria-label={field.label}>
            {({ close }) => (
              <>
                <div className="days-presets">
                  {dayRangePresets.map((name) => (
                    <Button
                      key={name}
                      kind="quiet"
                      onPress={() => {
                        write(getPresetDayRange(name, getSiteToday()));
                        close();
                      }}
                    >
                      {texts.filters.presets[name]}
                    </Button>
                  ))}
                </div>
                <div className="days-ends">
                  <DateField
                    label={texts.filters.from}
                    value={days.since ?? ''}
                    max={days.until}
                    onChange={(since) => write({ ...days, since: since || undefined })}
                  />
                  <DateField
                    label={texts.filters.until}
                    value={days.until ?? ''}
                    min={days.since}
                    onChange={(until) => write({ ...days, until: until || undefined })}
                  />
                  <p>{texts.filters.dayHint}</p>
                  {first && last && <p>{texts.filters.stored(formatDate(first), formatDate(last))}</p>}
                </div>
              </>
            )}
          </Dialog>
        </Popover>
      </DialogTrigger>
      {text && (
        <ClearFilterButton
          label={field.label}
          onPress={() => write({ since: undefined, until: undefined })}
        />
      )}
    </span>
  );
}

function formatDayRange({ since, until }: DayRange): string | null {
  if (since && until) return texts.filters.between(formatDate(since), formatDate(until));
  if (since) return texts.filters.since(formatDate(since));
  return until ? texts.filters.upTo(formatDate(until)) : null;
}
