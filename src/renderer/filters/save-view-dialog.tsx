import { useState } from 'react';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { TextInput } from '../controls/form-fields.tsx';
import { closeDialog, type FilteredScreen, useWindowState } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { changeSetting, type SavedView, useUserSettings } from '../user-settings/user-settings.ts';

/** Dialog for saving the current filter under a name. */
export function SaveViewDialog({ screen }: { readonly screen: FilteredScreen }) {
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
    changeSetting('views', [...others, view]);
    closeDialog();
  };
  return (
    <Dialog
      title={texts.filters.saveViewTitle}
      size="small"
      onClose={closeDialog}
      footer={
        <>
          <Button onPress={closeDialog}>{texts.controls.cancel}</Button>
          <Button
            kind="primary"
            onPress={save}
            disabledReason={name.trim() === '' ? texts.sites.missing.title : null}
          >
            {texts.filters.save}
          </Button>
        </>
      }
    >
      <p>{texts.filters.saveViewText}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== '') save();
        }}
      >
        <TextInput label={texts.filters.viewName} value={name} onChange={setName} autoFocus maxLength={60} />
      </form>
    </Dialog>
  );
}
