import { useState } from 'react';
import type { BackendClient, IncidentDetail } from '../../contract/index.ts';
import { useAction, useBackend, useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { TextInput } from '../controls/form-fields.tsx';
import { DateTime } from '../controls/formatted-values.tsx';
import { MultilineField } from '../controls/multiline-field.tsx';
import { Skeleton } from '../controls/skeleton.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { FormDialog } from '../layout/form-dialog.tsx';
import { closeDialog, openDialog } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { saveFile } from '../window-shell/save-file.ts';
import { IncidentStateBadge } from './incident-list.tsx';

const text = texts.incidents;

interface IncidentForm {
  readonly name: string;
  readonly cause: string;
  readonly owner: string;
  readonly note: string;
}

type Decision = 'update' | 'acknowledge' | 'resolve' | 'reopen';

/** Dialog that shows an incident with its timeline. Users describe, acknowledge, resolve and reopen it here. */
export function IncidentDialog({ site, id }: { readonly site: string; readonly id: number }) {
  const { data: incident, error } = useQuery('incidents.get', { site, id });
  const client = useContractClient();
  const [entered, setEntered] = useState<Partial<IncidentForm>>({});
  const deciding = useAction((decision: Decision) => decide(client, { site, id, decision, entered }));
  const save = async (decision: Decision) => {
    if (!incident) return;
    if (decision === 'update' && !isChanged(entered)) return closeDialog();
    if (await deciding.run(decision)) setEntered({});
  };
  return (
    <FormDialog
      title={text.dialogTitle(id)}
      size="wide"
      dismissable={!isChanged(entered)}
      submitLabel={text.save}
      disabledReason={entered.name?.trim() === '' ? text.name : null}
      action={deciding}
      tools={
        incident && (
          <IncidentTools
            {...{ site, incident }}
            hasNote={(entered.note ?? '').trim() !== ''}
            onDecide={save}
          />
        )
      }
      onSubmit={() => save('update')}
    >
      {error && <ErrorMessage error={error} />}
      {!incident && !error && <Skeleton lines={8} />}
      {incident && (
        <>
          <IncidentFacts incident={incident} />
          <IncidentFields
            form={{
              name: incident.name,
              cause: incident.cause ?? '',
              owner: incident.owner ?? '',
              note: '',
              ...entered,
            }}
            onChange={(change) => setEntered({ ...entered, ...change })}
            onSubmit={() => void save('update')}
          />
          <IncidentTimeline incident={incident} />
        </>
      )}
    </FormDialog>
  );
}

const isChanged = (entered: Partial<IncidentForm>) => Object.keys(entered).length > 0;

interface DecisionInput {
  readonly site: string;
  readonly id: number;
  readonly decision: Decision;
  readonly entered: Partial<IncidentForm>;
}

/** Sends a decision with the changed fields. The note is the reason of a resolution. */
async function decide(
  { incidents }: BackendClient,
  { site, id, decision, entered }: DecisionInput,
): Promise<unknown> {
  const { name, cause, owner, note = '' } = entered;
  const described = {
    site,
    id,
    ...(name !== undefined && { name: name.trim() }),
    ...(cause !== undefined && { cause: cause.trim() || null }),
    ...(owner !== undefined && { owner: owner.trim() || null }),
  };
  const text = note.trim();
  if (decision === 'resolve') return await incidents.resolve({ ...described, reason: text });
  const { site: _site, id: _id, ...description } = described;
  const hasNote = text !== '' && decision !== 'reopen';
  if (decision === 'acknowledge') await incidents.acknowledge(described);
  if (decision === 'reopen') await incidents.reopen({ site, id, reason: text });
  const isDescribed = Object.keys(description).length > 0 && decision !== 'acknowledge';
  if (isDescribed || hasNote)
    await incidents.update({ site, id, ...(isDescribed && description), ...(hasNote && { note: text }) });
  return true;
}

function IncidentFacts({ incident }: { readonly incident: IncidentDetail }) {
  const { state, resolved_by, kind, from, to, url, error, accepted, webhooks } = incident;
  return (
    <section className="incident-facts" aria-label={text.kinds[kind]}>
      <p>
        <IncidentStateBadge status={state} pill /> {resolved_by !== null && text.resolvedBy[resolved_by]}
      </p>
      <p>
        {text.kinds[kind]}, <DateTime at={from} /> – <DateTime at={to} />
      </p>
      <p>{text.impact(accepted, webhooks)}</p>
      {[url, error].map((line) => line && <p key={line}>{line}</p>)}
    </section>
  );
}

interface IncidentFieldsProps {
  readonly form: IncidentForm;
  readonly onChange: (change: Partial<IncidentForm>) => void;
  readonly onSubmit: () => void;
}

function IncidentFields({ form, onChange, onSubmit }: IncidentFieldsProps) {
  return (
    <>
      <TextInput
        label={text.name}
        value={form.name}
        onChange={(name) => onChange({ name })}
        maxLength={120}
      />
      <TextInput
        label={text.owner}
        value={form.owner}
        onChange={(owner) => onChange({ owner })}
        maxLength={80}
      />
      <MultilineField
        label={text.cause}
        value={form.cause}
        onChange={(cause) => onChange({ cause })}
        onSubmit={onSubmit}
        rows={2}
        maxLength={2000}
      />
      <TextInput
        label={text.note}
        hint={text.noteHint}
        value={form.note}
        onChange={(note) => onChange({ note })}
        maxLength={500}
      />
    </>
  );
}

interface IncidentToolsProps {
  readonly site: string;
  readonly incident: IncidentDetail;
  readonly hasNote: boolean;
  readonly onDecide: (decision: Decision) => unknown;
}

function IncidentTools({ site, incident, hasNote, onDecide }: IncidentToolsProps) {
  const { id, state, resolved_by, not_accepted } = incident;
  const { connection } = useBackend();
  const saving = useAction(async () => {
    const file = await connection.client.incidents.report({ site, id, format: 'md' });
    await saveFile({ bytes: await connection.readBlob(file.blob), name: file.name, type: file.type });
  });
  const reasonMissing = hasNote ? null : text.noteRequired;
  return (
    <>
      {state === 'open' && <Button onPress={() => void onDecide('acknowledge')}>{text.acknowledge}</Button>}
      {state !== 'resolved' && (
        <Button disabledReason={reasonMissing} onPress={() => void onDecide('resolve')}>
          {text.resolve}
        </Button>
      )}
      {resolved_by === 'person' && (
        <Button disabledReason={reasonMissing} onPress={() => void onDecide('reopen')}>
          {text.reopen}
        </Button>
      )}
      <Button isPending={saving.running} onPress={() => void saving.run()}>
        {text.report}
      </Button>
      {not_accepted.length > 0 && (
        <Button onPress={() => openDialog({ kind: 'replay', selection: { ids: not_accepted } })}>
          {text.plan}
        </Button>
      )}
    </>
  );
}

function IncidentTimeline({ incident: { timeline } }: { readonly incident: IncidentDetail }) {
  return (
    <section aria-label={text.timeline}>
      <h3>{text.timeline}</h3>
      <ol className="incident-timeline">
        {timeline.map(({ at, user, text: line }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id and are only appended
          <li key={index}>
            <DateTime at={at} /> {line} {user !== null && <span className="fineprint">{text.by(user)}</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}
