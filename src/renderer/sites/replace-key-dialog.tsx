import { useState } from 'react';
import { useAction, useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { probeService } from '../backend-client/service-availability.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { TextInput } from '../controls/form-fields.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { closeDialog, showNotice } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';

const text = texts.sites;

/** Dialog for replacing a site's API key. The new key is stored only after the service has accepted it. */
export function ReplaceKeyDialog({ site }: { readonly site: string }) {
  const client = useContractClient();
  const { data: siteData } = useQuery('sites.get', { site });
  const [key, setKey] = useState('');
  const replacing = useAction(() => client.sites.replaceKey({ site, api_key: key.trim() }));
  const replace = async () => {
    if (key.trim() === '' || !(await replacing.run())) return;
    setKey('');
    closeDialog();
    showNotice(text.keyReplaced, 'good');
    void probeService(client, site);
  };
  return (
    <Dialog
      title={text.replaceKeyTitle(siteData?.title ?? site)}
      size="small"
      onClose={closeDialog}
      footer={
        <>
          <Button onPress={closeDialog}>{texts.controls.cancel}</Button>
          <Button
            kind="primary"
            onPress={() => void replace()}
            isPending={replacing.running}
            disabledReason={key.trim() === '' ? text.missing.key : null}
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
        <TextInput
          label={text.newKey}
          hint={text.keyHint}
          value={key}
          onChange={setKey}
          type="password"
          autoFocus
        />
        <button type="submit" hidden />
      </form>
      {replacing.error && <ErrorMessage error={replacing.error} site={null} />}
    </Dialog>
  );
}
