import type { MenuEntry } from '../controls/menu.tsx';
import { type CommandContext, runCommand } from './command.ts';
import { findCommand } from './command-registry.ts';

/** Returns menu entries that run the given commands. A disabled entry shows the reason. */
export function createCommandEntries(ids: readonly string[], context: CommandContext): MenuEntry[] {
  return ids.map((id) => {
    const command = findCommand(id);
    const enabled = command.enabled(context);
    return {
      id,
      label: command.title,
      disabledReason: enabled === true ? null : enabled,
      run: () => void runCommand(command, context),
    };
  });
}
