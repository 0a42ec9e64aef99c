import { Calendar } from 'lucide-react';
import { Button as AriaButton, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { Button } from '../controls/button.tsx';
import { dateText } from '../words/moments.ts';
import { words } from '../words/words.ts';
import { type Days, type FilterField, presetDays, presetNames, todayHere } from './fields.ts';
import { PillClear } from './pill-clear.tsx';

interface DaysPillProps<F> {
  readonly field: Extract<FilterField<F>, { kind: 'days' }>;
  readonly filter: F;
  readonly onChange: (filter: F) => void;
}

/** A range of days, by preset or by its two ends. */
export function DaysPill<F>({ field, filter, onChange }: DaysPillProps<F>) {
  const days = field.read(filter);
  const text = rangeText(days);
  const write = (next: Days) => onChange(field.write(filter, next));
  const { first, last } = field.held ?? { first: null, last: null };
  return (
    <span className={text ? 'pill pill-set' : 'pill'}>
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
                  {presetNames.map((name) => (
                    <Button
                      key={name}
                      kind="quiet"
                      onPress={() => {
                        write(presetDays(name, todayHere()));
                        close();
                      }}
                    >
                      {words.filters.presets[name]}
                    </Button>
                  ))}
                </div>
                <div className="days-ends">
                  <DayInput
                    label={words.filters.from}
                    day={days.since}
                    max={days.until}
                    onChange={(since) => write({ ...days, since })}
                  />
                  <DayInput
                    label={words.filters.until}
                    day={days.until}
                    min={days.since}
                    onChange={(until) => write({ ...days, until })}
                  />
                  <p>{words.filters.dayHint}</p>
                  {first && last && <p>{words.filters.held(dateText(first), dateText(last))}</p>}
                </div>
              </>
            )}
          </Dialog>
        </Popover>
      </DialogTrigger>
      {text && (
        <PillClear label={field.label} onPress={() => write({ since: undefined, until: undefined })} />
      )}
    </span>
  );
}

interface DayInputProps {
  readonly label: string;
  readonly day: string | undefined;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly onChange: (day: string | undefined) => void;
}

function DayInput({ label, day, min, max, onChange }: DayInputProps) {
  return (
    <label className="days-end">
      <span>{label}</span>
      <input
        className="input"
        type="date"
        value={day ?? ''}
        min={min}
        max={max}
        onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
      />
    </label>
  );
}

function rangeText({ since, until }: Days): string | null {
  if (since && until) return words.filters.between(dateText(since), dateText(until));
  if (since) return words.filters.since(dateText(since));
  return until ? words.filters.upTo(dateText(until)) : null;
}
