import { useState } from 'react';
import { Button } from '../controls/button.tsx';
import { Field } from '../controls/field.tsx';
import { Dialog } from '../controls/overlay.tsx';
import { choose, type SavedView, useChosen } from '../settings/chosen.ts';
import { closeDialog, type FilteredScreen, useView } from '../view/view.ts';
import { words } from '../words/words.ts';

/** Keeps the filter in force under a name. */
export function SaveViewDialog({ screen }: { readonly screen: FilteredScreen }) {
  const [name, setName] = useState('');
  const filter = useView((view) => view.filters[screen]);
  const save = () => {
    const view: SavedView = {
      id: crypto.randomUUID(),
      name: name.trim(),
      screen,
      filter: { ...filter } as SavedView['filter'],
    };
    const others = useChosen
      .getState()
      .views.filter((other) => other.screen !== screen || other.name !== view.name);
    choose('views', [...others, view]);
    closeDialog();
  };
  return (
    <Dialog
      title={words.filters.saveViewTitle}
      size="small"
      onClose={closeDialog}
      footer={
        <>
          <Button onPress={closeDialog}>{words.controls.cancel}</Button>
          <Button
            kind="primary"
            onPress={save}
            reason={name.trim() === '' ? words.sites.missing.title : null}
          >
            {words.filters.save}
          </Button>
        </>
      }
    >
      <p>{words.filters.saveViewText}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== '') save();
        }}
      >
        <Field label={words.filters.viewName} value={name} onChange={setName} autoFocus maxLength={60} />
      </form>
    </Dialog>
  );
}
