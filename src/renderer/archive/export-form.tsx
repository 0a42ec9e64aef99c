import { useQuery } from '../backend-client/backend-hooks.ts';
import { DateField } from '../controls/date-field.tsx';
import { bindFormField, SegmentedControl, TextInput, ToggleSwitch } from '../controls/form-fields.tsx';
import { texts } from '../texts/texts.ts';
import { type ExportOptions, toExportStatementFilter, validateDayInput } from './export-options.ts';
import { PathField } from './path-field.tsx';

const text = texts.archive.exportDialog;
const SAMPLE_SIZE = 5;

interface ExportFormProps {
  readonly site: string;
  readonly options: ExportOptions;
  readonly path: string;
  readonly onChange: (options: ExportOptions) => void;
}

/** Form for the selection, destination, and file names of an export. */
export function ExportForm({ site, options, path, onChange }: ExportFormProps) {
  const set = (changed: Partial<ExportOptions>) => onChange({ ...options, ...changed });
  const { selection, kind } = options;
  return (
    <>
      {selection === null ? (
        <StatementChoice options={options} onChange={onChange} />
      ) : (
        <p>
          {'ids' in selection
            ? text.chosen(selection.ids.length)
            : text.filtered(formatFilter(selection.filter))}
        </p>
      )}
      <SegmentedControl
        label={text.kind}
        {...bindFormField(options, onChange, 'kind')}
        options={(['folder', 'zip'] as const).map((value) => ({ value, label: text.kinds[value] }))}
      />
      <PathField
        label={text.destination[kind]}
        hint={text.destinationHint[kind]}
        value={path}
        onChange={(to) => set({ path: to })}
        {...(kind === 'zip' ? { name: 'statements.zip' } : {})}
      />
      <NamePreview site={site} options={options} onChange={onChange} />
      <ToggleSwitch on={options.merged} onChange={(merged) => set({ merged })}>
        {text.merged}
      </ToggleSwitch>
      {kind === 'zip' && (
        <ToggleSwitch on={options.replace} onChange={(replace) => set({ replace })}>
          {text.replace}
        </ToggleSwitch>
      )}
    </>
  );
}

function StatementChoice({ options, onChange }: Pick<ExportFormProps, 'options' | 'onChange'>) {
  return (
    <>
      <SegmentedControl
        label={text.state}
        {...bindFormField(options, onChange, 'state')}
        options={(['closed', 'paid', 'unpaid'] as const).map((value) => ({
          value,
          label: text.stateChoices[value],
        }))}
      />
      <div className="archive-days">
        <DateField
          label={text.from}
          hint={text.dateHint}
          max={options.until}
          {...bindFormField(options, onChange, 'from')}
        />
        <DateField
          label={text.until}
          hint={text.dateHint}
          min={options.from}
          {...bindFormField(options, onChange, 'until')}
        />
      </div>
      <p className="fineprint">{text.elsewhere}</p>
    </>
  );
}

/** Field for the file name template, with a preview of the resulting names. */
function NamePreview({ site, options, onChange }: Omit<ExportFormProps, 'path'>) {
  const filter = toExportStatementFilter(options);
  const dayError = validateDayInput(options.from) ?? validateDayInput(options.until);
  const { selection, template } = options;
  const query = {
    site,
    limit: SAMPLE_SIZE,
    ...(template.trim() === '' ? {} : { template: template.trim() }),
    ...(selection !== null && 'ids' in selection ? { ids: selection.ids.slice(0, SAMPLE_SIZE) } : {}),
    ...(filter === null ? {} : { filter }),
  };
  const { data: sample, error } = useQuery('archive.names', dayError === null ? query : null);
  return (
    <>
      <TextInput
        label={text.template}
        hint={text.templateHint}
        placeholder={sample?.template ?? ''}
        {...bindFormField(options, onChange, 'template')}
        error={error?.code === 'validation' ? error.message : null}
        maxLength={400}
      />
      {sample && !error && (
        <div className="archive-names">
          <span>{text.sample}</span>
          <ul>
            {sample.names.map(({ id, name }) => (
              <li key={id}>
                <code>{name}</code>
              </li>
            ))}
          </ul>
          {sample.names.length === 0 && <p className="fineprint">{text.noSample}</p>}
        </div>
      )}
    </>
  );
}

/** Formats a statement filter in a few words. */
function formatFilter({
  state,
  since,
  until,
  subscription_id,
  search,
}: Extract<NonNullable<ExportOptions['selection']>, { filter: unknown }>['filter']): string {
  const parts = [
    state && state.length > 0 ? state.map((each) => texts.statements.states[each]).join(', ') : null,
    since !== undefined || until !== undefined ? `${since ?? '…'} – ${until ?? '…'}` : null,
    subscription_id === undefined ? null : texts.archive.onSubscription(subscription_id),
    search ? `“${search}”` : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? text.everything : parts.join(' · ');
}
