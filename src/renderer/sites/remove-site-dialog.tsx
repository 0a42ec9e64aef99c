import { useAction, useClient, useQuery } from '../backend/hooks.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/overlay.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { closeDialog, go, notify, useView } from '../view/view.ts';
import { words } from '../words/words.ts';

const text = words.sites;

/** Sets a site aside, after asking once. */
export function RemoveSiteDialog({ site }: { readonly site: string }) {
  const client = useClient();
  const { data: known } = useQuery('sites.get', { site });
  const removing = useAction(() => client.sites.remove({ site }));
  const remove = async () => {
    const removed = await removing.run();
    if (!removed) return;
    closeDialog();
    notify(text.removed(removed.set_aside));
    if (useView.getState().route.site === site) go({ site: null, screen: 'sites' }, true);
  };
  return (
    <Dialog
      title={text.removeTitle(known?.title ?? site)}
      size="small"
      onClose={closeDialog}
      footer={
        <>
          <Button onPress={closeDialog}>{words.controls.cancel}</Button>
          <Button kind="danger" onPress={() => void remove()} pending={removing.running}>
            {text.remove}
          </Button>
        </>
      }
    >
      <p>{text.removeText}</p>
      {removing.error && <ErrorNote error={removing.error} />}
    </Dialog>
  );
}
