import { useState } from 'react';
import { useAction, useClient, useQuery } from '../backend/hooks.ts';
import { Button } from '../controls/button.tsx';
import { Field } from '../controls/field.tsx';
import { Dialog } from '../controls/overlay.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { probe } from '../frame/reach.ts';
import { closeDialog, notify } from '../view/view.ts';
import { words } from '../words/words.ts';

const text = words.sites;

/** A new key in the place of the old one, once the service has accepted it. */
export function ReplaceKeyDialog({ site }: { readonly site: string }) {
  const client = useClient();
  const { data: known } = useQuery('sites.get', { site });
  const [key, setKey] = useState('');
  const replacing = useAction(() => client.sites.replaceKey({ site, api_key: key.trim() }));
  const replace = async () => {
    if (key.trim() === '' || !(await replacing.run())) return;
    setKey('');
    closeDialog();
    notify(text.keyReplaced, 'good');
    void probe(client, site);
  };
  return (
    <Dialog
      title={text.replaceKeyTitle(known?.title ?? site)}
      size="small"
      onClose={closeDialog}
      footer={
        <>
          <Button onPress={closeDialog}>{words.controls.cancel}</Button>
          <Button
            kind="primary"
            onPress={() => void replace()}
            pending={replacing.running}
            reason={key.trim() === '' ? text.missing.key : null}
          >
            {text.replaceKey}
          </Button>
        </>
      }
    >
      <p>{text.replaceKeyText}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void replace();
        }}
      >
        <Field
          label={text.newKey}
          hint={text.keyHint}
          value={key}
          onChange={setKey}
          type="password"
          autoFocus
        />
        <button type="submit" hidden />
      </form>
      {replacing.error && <ErrorNote error={replacing.error} site={null} />}
    </Dialog>
  );
}
