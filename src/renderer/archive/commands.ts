import { Download, FileCheck, FolderOutput, Lock, RotateCcw, ShieldCheck, Timer, Trash2 } from 'lucide-react';
import type { Client, Site, StatementRow } from '../../contract/index.ts';
import type { Command, CommandContext } from '../commands/command.ts';
import type { GridController } from '../grid/state/grid-controller.ts';
import { announce, type ExportSelection, openDialog } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';

const text = texts.archive;
/** Maximum number of ids in a selection. Larger selections use a filter instead. */
const MAX_IDS = 1_000_000;
const MAX_HELD_STATEMENTS = 10_000;

const requireSite = ({ site }: CommandContext): true | string => (site ? true : texts.frame.noSite);

function findStatementGrid(context: CommandContext): GridController<StatementRow> | null {
  return context.route.screen === 'statements'
    ? (context.grid as unknown as GridController<StatementRow> | null)
    : null;
}

/** Returns the selected statements, or the filter of the list if nothing is selected. */
async function readSelection(context: CommandContext): Promise<ExportSelection | null> {
  const grid = findStatementGrid(context);
  if (grid === null) return null;
  const { selection } = grid.state.getState();
  if (selection.kind === 'some') return { ids: [...selection.ids].map(Number) };
  if (selection.kind === 'all' && selection.except.size > 0) {
    return { ids: (await grid.readSelectedRows(MAX_IDS)).map(({ id }) => id) };
  }
  return { filter: context.filters.statements };
}

const startJob = (begin: (client: Client, site: string) => Promise<unknown>) =>
  async function run({ client, site }: CommandContext): Promise<void> {
    if (!site) return;
    await begin(client, (site satisfies Site).site);
    announce(text.running);
  };

export const archiveCommands: readonly Command[] = [
  {
    id: 'archive.export',
    title: text.export,
    section: 'archive',
    icon: FolderOutput,
    keys: ['E'],
    screens: ['archive'],
    enabled: requireSite,
    run: () => openDialog({ kind: 'export', selection: null }),
  },
  {
    id: 'statements.export',
    title: text.exportThese,
    section: 'statements',
    icon: FolderOutput,
    keys: ['E'],
    screens: ['statements'],
    enabled: (context) =>
      (findStatementGrid(context)?.state.getState().total ?? 0) > 0 ? true : text.listEmpty,
    run: async (context) => openDialog({ kind: 'export', selection: await readSelection(context) }),
  },
  {
    id: 'statements.hold',
    title: text.holdThese,
    section: 'statements',
    icon: Lock,
    screens: ['statements'],
    enabled(context) {
      const count = findStatementGrid(context)?.selectedCount() ?? 0;
      return count === 0
        ? text.noneSelected
        : count > MAX_HELD_STATEMENTS
          ? text.tooManySelected(MAX_HELD_STATEMENTS)
          : true;
    },
    async run(context) {
      const rows = await findStatementGrid(context)?.readSelectedRows(MAX_HELD_STATEMENTS);
      openDialog({ kind: 'hold', statements: (rows ?? []).map(({ id }) => id) });
    },
  },
  {
    id: 'archive.fetch',
    title: text.fetch,
    section: 'archive',
    icon: Download,
    enabled: (context) => (context.site ? (context.unavailableReason ?? true) : texts.frame.noSite),
    run: startJob((client, site) => client.archive.fetch({ site })),
  },
  {
    id: 'archive.check',
    title: text.check,
    section: 'archive',
    icon: ShieldCheck,
    enabled: requireSite,
    run: startJob((client, site) => client.archive.check({ site })),
  },
  {
    id: 'archive.checkAll',
    title: text.checkAll,
    section: 'archive',
    icon: ShieldCheck,
    enabled: requireSite,
    run: startJob((client, site) => client.archive.check({ site, all: true })),
  },
  {
    id: 'archive.repair',
    title: text.repair,
    section: 'archive',
    icon: RotateCcw,
    enabled: (context) => (context.site ? (context.unavailableReason ?? true) : texts.frame.noSite),
    run: startJob((client, site) => client.archive.repair({ site })),
  },
  {
    id: 'archive.verify',
    title: text.verify,
    section: 'archive',
    icon: FileCheck,
    enabled: () => true,
    run: () => openDialog({ kind: 'verifyExport', path: '' }),
  },
  {
    id: 'archive.retention',
    title: text.retention,
    section: 'archive',
    icon: Timer,
    enabled: requireSite,
    run: () => openDialog({ kind: 'changeRetention' }),
  },
  {
    id: 'archive.hold',
    title: text.hold,
    section: 'archive',
    icon: Lock,
    enabled: requireSite,
    run: () => openDialog({ kind: 'hold', statements: [] }),
  },
  {
    id: 'archive.delete',
    title: text.deleteExpired,
    section: 'archive',
    icon: Trash2,
    enabled: requireSite,
    run: () => openDialog({ kind: 'deletePdfs' }),
  },
];
