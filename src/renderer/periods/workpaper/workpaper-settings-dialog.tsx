import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import type { TickMeaning, WorkpaperSettings } from '../../../contract/index.ts';
import { useAction, useContractClient, useQuery } from '../../backend-client/backend-hooks.ts';
import { Button } from '../../controls/button.tsx';
import { Dialog } from '../../controls/dialog.tsx';
import { TextInput } from '../../controls/form-fields.tsx';
import { Skeleton } from '../../controls/skeleton.tsx';
import { ErrorMessage } from '../../errors/error-message.tsx';
import { FormDialog } from '../../layout/form-dialog.tsx';
import { closeDialog, showNotice } from '../../navigation/window-state.ts';
import { texts } from '../../texts/texts.ts';
import { PolicyFields, parseStatements, parseThresholds, toPolicyDraft } from './sign-off-policy-fields.tsx';

const text = texts.periods.settings;

/** Dialog for the aging ranges, the expected days in transit, the tick marks and the sign-off policy of a site. */
export function WorkpaperSettingsDialog({ site }: { readonly site: string }) {
  const { data: settings, error } = useQuery('workpapers.settings', { site });
  if (settings) return <SettingsForm site={site} settings={settings} />;
  return (
    <Dialog title={text.title} onClose={closeDialog}>
      {error ? <ErrorMessage error={error} site={site} /> : <Skeleton lines={8} />}
    </Dialog>
  );
}

/** Parses the start days of the aging ranges: whole numbers in ascending order from 0. Returns null for other text. */
function parseBuckets(typed: string): number[] | null {
  const days = typed
    .split(/[,\s]+/)
    .filter((part) => part !== '')
    .map(Number);
  const isAscending = days.every(
    (day, at) => Number.isInteger(day) && (at === 0 ? day === 0 : day > days[at - 1]!),
  );
  return days.length > 0 && days.length <= 12 && isAscending ? days : null;
}

function SettingsForm({ site, settings }: { readonly site: string; readonly settings: WorkpaperSettings }) {
  const client = useContractClient();
  const [typed, setTyped] = useState(settings.buckets.join(', '));
  const [transit, setTransit] = useState(String(settings.transit_days));
  const [legend, setLegend] = useState<readonly TickMeaning[]>(settings.legend);
  const [policy, setPolicy] = useState(() => toPolicyDraft(settings));
  const certification = parseStatements(policy);
  const thresholds = parseThresholds(policy.thresholds);
  const buckets = parseBuckets(typed);
  const isTransitInvalid = !/^\d{1,2}$/.test(transit) || Number(transit) > 60;
  const saving = useAction((to: WorkpaperSettings) => client.workpapers.saveSettings({ site, settings: to }));
  const reason =
    buckets === null
      ? text.bucketsBad
      : isTransitInvalid
        ? text.transitBad
        : certification === null
          ? text.statementsBad
          : thresholds === null
            ? text.thresholdsBad
            : null;
  const save = async () => {
    if (buckets === null || isTransitInvalid || certification === null || thresholds === null) return;
    const self_review = policy.isSelfReviewRefused ? 'refused' : 'explained';
    const changed = { buckets, transit_days: Number(transit), legend: [...legend] };
    const signing = { certification, thresholds, suspend_on: policy.suspendOn };
    if (!(await saving.run({ ...settings, ...changed, ...signing, self_review }))) return;
    closeDialog();
    showNotice(text.saved, 'good');
  };
  return (
    <FormDialog
      title={text.title}
      size="wide"
      submitLabel={text.save}
      action={saving}
      disabledReason={reason}
      onSubmit={save}
      site={site}
    >
      <p>{text.text}</p>
      <div className="explain-pair">
        <TextInput
          label={text.buckets}
          hint={text.bucketsHint}
          value={typed}
          onChange={setTyped}
          error={buckets === null ? text.bucketsBad : null}
          autoFocus
        />
        <TextInput
          label={text.transit}
          hint={text.transitHint}
          value={transit}
          onChange={setTransit}
          error={isTransitInvalid ? text.transitBad : null}
          numeric
          maxLength={2}
        />
      </div>
      <Legend legend={legend} onChange={setLegend} />
      <PolicyFields
        policy={policy}
        onChange={setPolicy}
        onSubmit={() => void save()}
        isInvalid={certification === null}
        areThresholdsInvalid={thresholds === null}
      />
    </FormDialog>
  );
}

interface LegendProps {
  readonly legend: readonly TickMeaning[];
  readonly onChange: (legend: readonly TickMeaning[]) => void;
}

/** Form for the tick marks. Users can change the meaning of a standard tick mark but cannot remove it. */
function Legend({ legend, onChange }: LegendProps) {
  const [mark, setMark] = useState('');
  const [meaning, setMeaning] = useState('');
  const isDuplicate = legend.some((tick) => tick.mark === mark.trim());
  const isInvalid = mark.trim() === '' || meaning.trim() === '' || isDuplicate;
  const add = () => {
    if (isInvalid) return;
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
          <TextInput
            label={text.meaning(tick.mark)}
            hideLabel
            value={tick.meaning}
            onChange={(newMeaning) =>
              onChange(
                legend.map((each) => (each.mark === tick.mark ? { ...each, meaning: newMeaning } : each)),
              )
            }
            maxLength={300}
          />
          <Button
            kind="quiet"
            size="small"
            icon={X}
            label={text.remove(tick.mark)}
            disabledReason={tick.usual ? text.usual : null}
            onPress={() => onChange(legend.filter((each) => each.mark !== tick.mark))}
          />
        </div>
      ))}
      <div>
        <TextInput
          label={text.mark}
          hideLabel
          placeholder={text.mark}
          value={mark}
          onChange={setMark}
          maxLength={12}
        />
        <TextInput
          label={text.newMeaning}
          hideLabel
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
