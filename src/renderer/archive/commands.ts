import { Download, FileCheck, FolderOutput, Lock, RotateCcw, ShieldCheck, Timer, Trash2 } from 'lucide-react';
import type { BackendClient, Site, StatementRow } from '../../contract/index.ts';
import {
  alwaysEnabled,
  type Command,
  type CommandContext,
  createCommandFactory,
  requireSite,
} from '../commands/command.ts';
import type { GridController } from '../grid/state/grid-controller.ts';
import {
  announceToScreenReader,
  openDialog,
  type StatementExportSelection,
} from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';

const text = texts.archive;
/** Maximum number of ids in a selection. Larger selections use a filter instead. */
const MAX_IDS = 1_000_000;
const MAX_HELD_STATEMENTS = 10_000;

function findStatementGrid(context: CommandContext): GridController<StatementRow> | null {
  return context.route.screen === 'statements'
    ? (context.grid as unknown as GridController<StatementRow> | null)
    : null;
}

/** Returns the selected statements, or the filter of the list if nothing is selected. */
async function readSelection(context: CommandContext): Promise<StatementExportSelection | null> {
  const grid = findStatementGrid(context);
  if (grid === null) return null;
  const { selection } = grid.state.getState();
  if (selection.kind === 'some') return { ids: [...selection.ids].map(Number) };
  if (selection.kind === 'all' && selection.except.size > 0) {
    return { ids: (await grid.readSelectedRows(MAX_IDS)).map(({ id }) => id) };
  }
  return { filter: context.filters.statements };
}

const startJob = (begin: (client: BackendClient, site: string) => Promise<unknown>) =>
  async function run({ client, site }: CommandContext): Promise<void> {
    if (!site) return;
    await begin(client, (site satisfies Site).site);
    announceToScreenReader(text.running);
  };

const requireService = (context: CommandContext): true | string =>
  context.site ? (context.unavailableReason ?? true) : texts.frame.noSite;

const archiveCommand = createCommandFactory({ section: 'archive', enabled: requireSite });
const statementCommand = createCommandFactory({ section: 'statements', screens: ['statements'] });

export const archiveCommands: readonly Command[] = [
  archiveCommand(
    { id: 'archive.export', title: text.export, icon: FolderOutput, keys: ['E'], screens: ['archive'] },
    () => openDialog({ kind: 'export', selection: null }),
  ),
  statementCommand(
    {
      id: 'statements.export',
      title: text.exportThese,
      icon: FolderOutput,
      keys: ['E'],
      enabled: (context) => (findStatementGrid(context)?.state.getState().total ?? 0) > 0 || text.listEmpty,
    },
    async (context) => openDialog({ kind: 'export', selection: await readSelection(context) }),
  ),
  statementCommand(
    {
      id: 'statements.hold',
      title: text.holdThese,
      icon: Lock,
      enabled(context) {
        const count = findStatementGrid(context)?.selectedCount() ?? 0;
        if (count === 0) return text.noneSelected;
        return count <= MAX_HELD_STATEMENTS || text.tooManySelected(MAX_HELD_STATEMENTS);
      },
    },
    async (context) => {
      const rows = await findStatementGrid(context)?.readSelectedRows(MAX_HELD_STATEMENTS);
      openDialog({ kind: 'hold', statements: (rows ?? []).map(({ id }) => id) });
    },
  ),
  archiveCommand(
    { id: 'archive.fetch', title: text.fetch, icon: Download, enabled: requireService },
    startJob((client, site) => client.archive.fetch({ site })),
  ),
  archiveCommand(
    { id: 'archive.check', title: text.check, icon: ShieldCheck },
    startJob((client, site) => client.archive.check({ site })),
  ),
  archiveCommand(
    { id: 'archive.checkAll', title: text.checkAll, icon: ShieldCheck },
    startJob((client, site) => client.archive.check({ site, all: true })),
  ),
  archiveCommand(
    { id: 'archive.repair', title: text.repair, icon: RotateCcw, enabled: requireService },
    startJob((client, site) => client.archive.repair({ site })),
  ),
  archiveCommand({ id: 'archive.verify', title: text.verify, icon: FileCheck, enabled: alwaysEnabled }, () =>
    openDialog({ kind: 'verifyExport', path: '' }),
  ),
  archiveCommand({ id: 'archive.retention', title: text.retention, icon: Timer }, () =>
    openDialog({ kind: 'changeRetention' }),
  ),
  archiveCommand({ id: 'archive.hold', title: text.hold, icon: Lock }, () =>
    openDialog({ kind: 'hold', statements: [] }),
  ),
  archiveCommand({ id: 'archive.delete', title: text.deleteExpired, icon: Trash2 }, () =>
    openDialog({ kind: 'deletePdfs' }),
  ),
];
