import { useState } from 'react';
import { TextInput } from '../controls/form-fields.tsx';
import { EnterKeyForm, FormDialog } from '../layout/form-dialog.tsx';
import type { FilterableScreen } from '../navigation/list-filters.ts';
import { closeDialog, useWindowState } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { changeUserSetting, type SavedView, useUserSettings } from '../user-settings/user-settings.ts';

/** Dialog for saving the current filter under a name. */
export function SaveViewDialog({ screen }: { readonly screen: FilterableScreen }) {
  const [name, setName] = useState('');
  const filter = useWindowState((state) => state.filters[screen]);
  const save = () => {
    const view: SavedView = {
      id: crypto.randomUUID(),
      name: name.trim(),
      screen,
      filter: { ...filter } as SavedView['filter'],
    };
    const others = useUserSettings
      .getState()
      .views.filter((other) => other.screen !== screen || other.name !== view.name);
    changeUserSetting('views', [...others, view]);
    closeDialog();
  };
  return (
    <FormDialog
      title={texts.filters.saveViewTitle}
      size="small"
      submitLabel={texts.filters.save}
      disabledReason={name.trim() === '' ? texts.sites.missing.title : null}
      onSubmit={save}
    >
      <p>{texts.filters.saveViewText}</p>
      <EnterKeyForm onSubmit={() => name.trim() !== '' && save()}>
        <TextInput label={texts.filters.viewName} value={name} onChange={setName} autoFocus maxLength={60} />
      </EnterKeyForm>
    </FormDialog>
  );
}
