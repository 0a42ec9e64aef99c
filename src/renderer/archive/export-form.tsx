import { useQuery } from '../backend-client/backend-hooks.ts';
import { SegmentedControl, TextInput, ToggleSwitch } from '../controls/form-fields.tsx';
import { texts } from '../texts/texts.ts';
import { filterOf, type Orders, wrongDay } from './orders.ts';
import { PlaceField } from './place-field.tsx';

const text = texts.archive.exporting;
const SAMPLE = 5;

interface ExportFormProps {
  readonly site: string;
  readonly orders: Orders;
  /** Where it goes, chosen or usual. */
  readonly path: string;
  readonly onChange: (orders: Orders) => void;
}

/** What is exported, where to, and under which names; the names are shown as they would be. */
export function ExportForm({ site, orders, path, onChange }: ExportFormProps) {
  const set = (changed: Partial<Orders>) => onChange({ ...orders, ...changed });
  const { selection, kind } = orders;
  return (
    <>
      {selection === null ? (
        <Period orders={orders} onChange={onChange} />
      ) : (
        <p>
          {'ids' in selection
            ? text.chosen(selection.ids.length)
            : text.filtered(filterText(selection.filter))}
        </p>
      )}
      <SegmentedControl
        label={text.kind}
        value={kind}
        onChange={(to) => set({ kind: to })}
        options={(['folder', 'zip'] as const).map((value) => ({ value, label: text.kinds[value] }))}
      />
      <PlaceField
        label={text.place[kind]}
        hint={text.placeHint[kind]}
        value={path}
        onChange={(to) => set({ path: to })}
        {...(kind === 'zip' ? { name: 'statements.zip' } : {})}
      />
      <Names site={site} orders={orders} onChange={(template) => set({ template })} />
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

function Period({ orders, onChange }: Pick<ExportFormProps, 'orders' | 'onChange'>) {
  const set = (changed: Partial<Orders>) => onChange({ ...orders, ...changed });
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
          error={wrongDay(orders.from)}
          maxLength={10}
          autoFocus
        />
        <TextInput
          label={text.until}
          hint={text.dateHint}
          value={orders.until}
          onChange={(until) => set({ until })}
          error={wrongDay(orders.until)}
          maxLength={10}
        />
      </div>
      <p className="fineprint">{text.elsewhere}</p>
    </>
  );
}

interface NamesProps {
  readonly site: string;
  readonly orders: Orders;
  readonly onChange: (template: string) => void;
}

/** The template, what is wrong with it, and the names it gives. */
function Names({ site, orders, onChange }: NamesProps) {
  const filter = filterOf(orders);
  const wrong = wrongDay(orders.from) ?? wrongDay(orders.until);
  const { selection, template } = orders;
  const asked = {
    site,
    limit: SAMPLE,
    ...(template.trim() === '' ? {} : { template: template.trim() }),
    ...(selection !== null && 'ids' in selection ? { ids: selection.ids.slice(0, SAMPLE) } : {}),
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
function filterText({
  state,
  since,
  until,
  subscription_id,
  search,
}: Extract<NonNullable<Orders['selection']>, { filter: unknown }>['filter']): string {
  const parts = [
    state && state.length > 0 ? state.map((each) => texts.statements.states[each]).join(', ') : null,
    since !== undefined || until !== undefined ? `${since ?? '…'} – ${until ?? '…'}` : null,
    subscription_id === undefined ? null : texts.archive.onSubscription(subscription_id),
    search ? `“${search}”` : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? text.everything : parts.join(' · ');
}
