import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ChecklistStep } from '../../../contract/index.ts';
import { useAction, useContractClient } from '../../backend-client/backend-hooks.ts';
import { Button } from '../../controls/button.tsx';
import { DateField } from '../../controls/date-field.tsx';
import { bindFormField, TextInput } from '../../controls/form-fields.tsx';
import { EnterKeyForm, FormDialog } from '../../layout/form-dialog.tsx';
import { closeDialog, showNotice } from '../../navigation/window-state.ts';
import { texts } from '../../texts/texts.ts';

const text = texts.periods.checklist;

interface ChecklistStepDialogProps {
  readonly site: string;
  readonly period: string;
  /** Step to change; null to add one. */
  readonly step: ChecklistStep | null;
}

interface StepDraft {
  readonly title: string;
  readonly owner: string;
  readonly due: string;
}

const toDraft = (step: ChecklistStep | null): StepDraft =>
  step === null
    ? { title: '', owner: '', due: '' }
    : { title: step.title, owner: step.owner ?? '', due: step.due_on };

/** Returns the fields that the user has changed. Null removes the owner, or restores the default due date. */
function listChanges(draft: StepDraft, before: StepDraft) {
  const [title, owner] = [draft.title.trim(), draft.owner.trim()];
  return {
    ...(title === before.title ? {} : { title }),
    ...(owner === before.owner ? {} : { owner: owner || null }),
    ...(draft.due === before.due ? {} : { due_on: draft.due || null }),
  };
}

/** Returns why a step cannot be saved, or null if it can. */
function findSaveObstacle(draft: StepDraft, before: StepDraft): string | null {
  if (draft.title.trim() === '') return text.untitled;
  return Object.keys(listChanges(draft, before)).length === 0 ? text.nothing : null;
}

function closeWithNotice(notice: string): void {
  closeDialog();
  showNotice(notice, 'good');
}

/** Dialog for adding a step to a checklist, or for changing the owner, due date and title of a step. */
export function ChecklistStepDialog({ site, period, step }: ChecklistStepDialogProps) {
  const { periods } = useContractClient();
  const before = toDraft(step);
  const [draft, setDraft] = useState(before);
  const isOwn = step === null || step.kind === 'own';
  const changes = listChanges(draft, before);
  const saving = useAction(() =>
    step === null
      ? periods.addChecklistStep({ site, period, ...changes, title: draft.title.trim() })
      : periods.changeChecklistStep({ site, period, step: step.step, ...changes }),
  );
  const removing = useAction((of: ChecklistStep) =>
    periods.removeChecklistStep({ site, period, step: of.step }),
  );
  const disabledReason = findSaveObstacle(draft, before);
  const save = async () => {
    if (disabledReason === null && (await saving.run()))
      closeWithNotice(step === null ? text.added : text.saved);
  };
  const remove = async (of: ChecklistStep) => {
    if (await removing.run(of)) closeWithNotice(text.removed);
  };
  return (
    <FormDialog
      title={step === null ? text.addTitle : text.editTitle}
      dismissable={Object.keys(changes).length === 0}
      submitLabel={step === null ? text.add : text.save}
      action={{ running: saving.running || removing.running, error: saving.error ?? removing.error }}
      disabledReason={disabledReason}
      onSubmit={save}
      site={site}
      tools={
        step?.kind === 'own' && (
          <Button kind="quiet" icon={Trash2} onPress={() => void remove(step)}>
            {text.remove}
          </Button>
        )
      }
    >
      <EnterKeyForm className="checklist-form" onSubmit={save}>
        {isOwn ? (
          <TextInput
            label={text.name}
            {...bindFormField(draft, setDraft, 'title')}
            maxLength={200}
            autoFocus
          />
        ) : (
          <p>{step.title}</p>
        )}
        <TextInput
          label={text.columns.owner}
          hint={text.ownerHint}
          {...bindFormField(draft, setDraft, 'owner')}
          maxLength={100}
          autoFocus={!isOwn}
        />
        <DateField label={text.columns.due} hint={text.dueHint} {...bindFormField(draft, setDraft, 'due')} />
      </EnterKeyForm>
    </FormDialog>
  );
}
