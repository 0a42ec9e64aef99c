import { useEffect } from 'react';
import { create } from 'zustand';
import { toContractError, type WindowEvent, type WindowShellClient } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { formatError } from '../errors/error-texts.ts';
import {
  type DialogState,
  navigate,
  openDialog,
  showNotice,
  useWindowState,
} from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';

/** File that the user opened from the system, with the dialog that shows it. */
interface OpenedFile {
  readonly name: string;
  readonly dialog: Extract<DialogState, { kind: 'importFile' | 'verifyExport' }>;
}

/** Opened files whose dialog has not been shown yet, oldest first. */
const useOpenedFiles = create<{ readonly files: readonly OpenedFile[] }>(() => ({ files: [] }));

/** Opens a file that the user chose in the system: a bank file, an evidence pack or an export. */
export async function openFileGivenToApp(
  event: Extract<WindowEvent, { kind: 'bankFile' | 'pack' }>,
  shell: WindowShellClient,
): Promise<void> {
  if (event.kind === 'pack') {
    return addOpenedFile({
      name: event.path,
      dialog: { kind: 'verifyExport', path: event.path, startNow: true },
    });
  }
  const { id, name } = event;
  try {
    const { file } = await shell.takeFile({ id });
    addOpenedFile({ name, dialog: { kind: 'importFile', file: new File([file], name) } });
  } catch (thrown) {
    showNotice(formatError(toContractError(thrown)), 'bad');
  }
}

function addOpenedFile(file: OpenedFile): void {
  useOpenedFiles.setState(({ files }) => ({ files: [...files, file] }));
  if (useWindowState.getState().dialog !== null) showNotice(texts.frame.opensAfterDialog(file.name));
}

/** Shows the opened files one after the other. An open dialog is never replaced, because it may contain a draft. */
export function useOpenedFileDialogs(): void {
  const next = useOpenedFiles(({ files: [first] }) => first ?? null);
  const isDialogOpen = useWindowState(({ dialog }) => dialog !== null);
  const hasSite = useWindowState(({ route }) => route.site !== null);
  const { data: sites } = useQuery('sites.list', {});
  const needsSite = next?.dialog.kind === 'importFile' && !hasSite;
  const isBlocked = needsSite && sites?.length === 0;
  useEffect(() => {
    if (isBlocked) showNotice(texts.frame.noSite);
  }, [isBlocked]);
  useEffect(() => {
    if (next === null || isDialogOpen || needsSite) return;
    useOpenedFiles.setState(({ files }) => ({ files: files.slice(1) }));
    if (next.dialog.kind === 'importFile') navigate({ screen: 'bank', item: null });
    openDialog(next.dialog);
  }, [next, isDialogOpen, needsSite]);
}
