import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import type { TickMeaning, WorkpaperSettings } from '../../contract/index.ts';
import { useAction, useClient, useQuery } from '../backend/hooks.ts';
import { Button } from '../controls/button.tsx';
import { Field } from '../controls/field.tsx';
import { Dialog } from '../controls/overlay.tsx';
import { Skeleton } from '../controls/pieces.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { closeDialog, notify } from '../view/view.ts';
import { words } from '../words/words.ts';

const text = words.periods.settings;

/** The age buckets, how long money may be on its way, and what the tick marks mean. */
export function SettingsDialog({ site }: { readonly site: string }) {
  const { data: settings, error } = useQuery('workpapers.settings', { site });
  if (settings) return <Editing site={site} settings={settings} />;
  return (
    <Dialog title={text.title} onClose={closeDialog}>
      {error ? <ErrorNote error={error} site={site} /> : <Skeleton lines={8} />}
    </Dialog>
  );
}

/** The days typed, null where they are no buckets. */
function bucketsOf(typed: string): number[] | null {
  const days = typed
    .split(/[,\s]+/)
    .filter((part) => part !== '')
    .map(Number);
  const rises = days.every(
    (day, at) => Number.isInteger(day) && (at === 0 ? day === 0 : day > days[at - 1]!),
  );
  return days.length > 0 && days.length <= 12 && rises ? days : null;
}

function Editing({ site, settings }: { readonly site: string; readonly settings: WorkpaperSettings }) {
  const client = useClient();
  const [typed, setTyped] = useState(settings.buckets.join(', '));
  const [transit, setTransit] = useState(String(settings.transit_days));
  const [legend, setLegend] = useState<readonly TickMeaning[]>(settings.legend);
  const buckets = bucketsOf(typed);
  const transitBad = !/^\d{1,2}$/.test(transit) || Number(transit) > 60;
  const saving = useAction((to: WorkpaperSettings) => client.workpapers.saveSettings({ site, settings: to }));
  const reason = buckets === null ? text.bucketsBad : transitBad ? text.transitBad : null;
  const save = async () => {
    if (buckets === null || transitBad) return;
    if (!(await saving.run({ buckets, transit_days: Number(transit), legend: [...legend] }))) return;
    closeDialog();
    notify(text.saved, 'good');
  };
  return (
    <Dialog
      title={text.title}
      size="wide"
      onClose={closeDialog}
      footer={
        <>
          <Button onPress={closeDialog}>{words.controls.cancel}</Button>
          <Button kind="primary" pending={saving.running} reason={reason} onPress={() => void save()}>
            {text.save}
          </Button>
        </>
      }
    >
      <p>{text.text}</p>
      <div className="explain-pair">
        <Field
          label={text.buckets}
          hint={text.bucketsHint}
          value={typed}
          onChange={setTyped}
          error={buckets === null ? text.bucketsBad : null}
          autoFocus
        />
        <Field
          label={text.transit}
          hint={text.transitHint}
          value={transit}
          onChange={setTransit}
          error={transitBad ? text.transitBad : null}
          numeric
          maxLength={2}
        />
      </div>
      <Legend legend={legend} onChange={setLegend} />
      {saving.error && <ErrorNote error={saving.error} site={site} />}
    </Dialog>
  );
}

interface LegendProps {
  readonly legend: readonly TickMeaning[];
  readonly onChange: (legend: readonly TickMeaning[]) => void;
}

/** Marks of the usual set may be worded anew; others may also be added and taken away. */
function Legend({ legend, onChange }: LegendProps) {
  const [mark, setMark] = useState('');
  const [meaning, setMeaning] = useState('');
  const known = legend.some((tick) => tick.mark === mark.trim());
  const cannot = mark.trim() === '' || meaning.trim() === '' || known;
  const add = () => {
    if (cannot) return;
    onChange([...legend, { mark: mark.trim(), meaning: meaning.trim(), usual: false }]);
    setMark('');
    setMeaning('');
  };
  return (
    <fieldset className="legend-edit">
      <legend>{text.legend}</legend>
      {legend.map((tick) => (
        <div key={tick.mark}>
          <span className="tickmark">{tick.mark}</span>
          <Field
            label={text.meaning(tick.mark)}
            labelUnseen
            value={tick.meaning}
            onChange={(said) =>
              onChange(legend.map((each) => (each.mark === tick.mark ? { ...each, meaning: said } : each)))
            }
            maxLength={300}
          />
          <Button
            kind="quiet"
            size="small"
            icon={X}
            label={text.remove(tick.mark)}
            reason={tick.usual ? text.usual : null}
            onPress={() => onChange(legend.filter((each) => each.mark !== tick.mark))}
          />
        </div>
      ))}
      <div>
        <Field
          label={text.mark}
          labelUnseen
          placeholder={text.mark}
          value={mark}
          onChange={setMark}
          maxLength={12}
        />
        <Field
          label={text.newMeaning}
          labelUnseen
          placeholder={text.newMeaning}
          value={meaning}
          onChange={setMeaning}
          maxLength={300}
        />
        <Button kind="quiet" size="small" icon={Plus} label={text.add} onPress={add} />
      </div>
    </fieldset>
  );
}
