import { useQuery } from '../backend-client/backend-hooks.ts';
import { SegmentedControl, TextInput, ToggleSwitch } from '../controls/form-fields.tsx';
import { texts } from '../texts/texts.ts';
import { type ExportOptions, toStatementFilter, validateDay } from './export-options.ts';
import { PathField } from './path-field.tsx';

const text = texts.archive.exporting;
const SAMPLE_SIZE = 5;

interface ExportFormProps {
  readonly site: string;
  readonly orders: ExportOptions;
  /** Where it goes, chosen or usual. */
  readonly path: string;
  readonly onChange: (orders: ExportOptions) => void;
}

/** What is exported, where to, and under which names; the names are shown as they would be. */
export function ExportForm({ site, orders, path, onChange }: ExportFormProps) {
  const set = (changed: Partial<ExportOptions>) => onChange({ ...orders, ...changed });
  const { selection, kind } = orders;
  return (
    <>
      {selection === null ? (
        <StatementChoice orders={orders} onChange={onChange} />
      ) : (
        <p>
          {'ids' in selection
            ? text.chosen(selection.ids.length)
            : text.filtered(formatFilter(selection.filter))}
        </p>
      )}
      <SegmentedControl
        label={text.kind}
        value={kind}
        onChange={(to) => set({ kind: to })}
        options={(['folder', 'zip'] as const).map((value) => ({ value, label: text.kinds[value] }))}
      />
      <PathField
        label={text.place[kind]}
        hint={text.placeHint[kind]}
        value={path}
        onChange={(to) => set({ path: to })}
        {...(kind === 'zip' ? { name: 'statements.zip' } : {})}
      />
      <NamePreview site={site} orders={orders} onChange={(template) => set({ template })} />
      <ToggleSwitch on={orders.merged} onChange={(merged) => set({ merged })}>
        {text.merged}
      </ToggleSwitch>
      {kind === 'zip' && (
        <ToggleSwitch on={orders.replace} onChange={(replace) => set({ replace })}>
          {text.replace}
        </ToggleSwitch>
      )}
    </>
  );
}

function StatementChoice({ orders, onChange }: Pick<ExportFormProps, 'orders' | 'onChange'>) {
  const set = (changed: Partial<ExportOptions>) => onChange({ ...orders, ...changed });
  return (
    <>
      <SegmentedControl
        label={text.state}
        value={orders.state}
        onChange={(state) => set({ state })}
        options={(['closed', 'paid', 'unpaid'] as const).map((value) => ({
          value,
          label: text.stateChoices[value],
        }))}
      />
      <div className="archive-days">
        <TextInput
          label={text.from}
          hint={text.dateHint}
          value={orders.from}
          onChange={(from) => set({ from })}
          error={validateDay(orders.from)}
          maxLength={10}
          autoFocus
        />
        <TextInput
          label={text.until}
          hint={text.dateHint}
          value={orders.until}
          onChange={(until) => set({ until })}
          error={validateDay(orders.until)}
          maxLength={10}
        />
      </div>
      <p className="fineprint">{text.elsewhere}</p>
    </>
  );
}

interface NamePreviewProps {
  readonly site: string;
  readonly orders: ExportOptions;
  readonly onChange: (template: string) => void;
}

/** The template, what is wrong with it, and the names it gives. */
function NamePreview({ site, orders, onChange }: NamePreviewProps) {
  const filter = toStatementFilter(orders);
  const wrong = validateDay(orders.from) ?? validateDay(orders.until);
  const { selection, template } = orders;
  const asked = {
    site,
    limit: SAMPLE_SIZE,
    ...(template.trim() === '' ? {} : { template: template.trim() }),
    ...(selection !== null && 'ids' in selection ? { ids: selection.ids.slice(0, SAMPLE_SIZE) } : {}),
    ...(filter === null ? {} : { filter }),
  };
  const { data: sample, error } = useQuery('archive.names', wrong === null ? asked : null);
  return (
    <>
      <TextInput
        label={text.template}
        hint={text.templateHint}
        placeholder={sample?.template ?? ''}
        value={template}
        onChange={onChange}
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

/** A filter in a few words. */
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
