import { getScreenCommands, runCommand } from '../../commands/command.ts';
import { getRegisteredCommands } from '../../commands/command-registry.ts';
import { useCommandContext } from '../../commands/use-command-context.ts';
import { texts } from '../../texts/texts.ts';
import { CellMenu, type CellMenuState } from '../clipboard/cell-context-menu.tsx';

interface RowMenuProps {
  /** Name of the grid. Row commands act on the grid that has the name of its screen. */
  readonly name: string;
  readonly state: CellMenuState;
  readonly onClose: () => void;
}

/** Context menu of the selected rows: the screen's row commands, as in its toolbar, and the given entries. */
export function RowMenu({ name, state, onClose }: RowMenuProps) {
  const context = useCommandContext();
  const commands = getScreenCommands(getRegisteredCommands(), context.route.screen).filter(
    ({ appliesToRows }) => appliesToRows === true && context.route.screen === name,
  );
  const entries = commands.map((command) => {
    const enabled = command.enabled(context);
    return {
      id: command.id,
      label: command.title,
      ...(command.icon && { icon: command.icon }),
      keys: command.keys?.[0],
      disabledReason: enabled === true ? null : enabled,
      run: () => void runCommand(command, context),
    };
  });
  return (
    <CellMenu
      label={texts.grid.menu}
      state={{ ...state, entries: [...entries, ...state.entries] }}
      onClose={onClose}
    />
  );
}
