import { useAction, useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { closeDialog, navigate, showNotice, useWindowState } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';

const text = texts.sites;

/** Dialog that asks for confirmation before a site is removed and its folder is set aside. */
export function RemoveSiteDialog({ site }: { readonly site: string }) {
  const client = useContractClient();
  const { data: siteData } = useQuery('sites.get', { site });
  const removing = useAction(() => client.sites.remove({ site }));
  const remove = async () => {
    const removed = await removing.run();
    if (!removed) return;
    closeDialog();
    showNotice(text.removed(removed.set_aside));
    if (useWindowState.getState().route.site === site) navigate({ site: null, screen: 'sites' }, true);
  };
  return (
    <Dialog
      title={text.removeTitle(siteData?.title ?? site)}
      size="small"
      onClose={closeDialog}
      footer={
        <>
          <Button onPress={closeDialog}>{texts.controls.cancel}</Button>
          <Button kind="danger" onPress={() => void remove()} isPending={removing.running}>
            {text.remove}
          </Button>
        </>
      }
    >
      <p>{text.removeText}</p>
      {removing.error && <ErrorMessage error={removing.error} />}
    </Dialog>
  );
}
