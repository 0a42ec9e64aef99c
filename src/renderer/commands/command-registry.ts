import type { MenuEntry } from '../controls/menu.tsx';
import { type Command, type CommandContext, runCommand } from './command.ts';

let commands: readonly Command[] = [];

/** Registers the window's commands at startup, so that the command modules do not depend on the screens. */
export function registerCommands(all: readonly Command[]): void {
  commands = all;
}

export function getRegisteredCommands(): readonly Command[] {
  return commands;
}

/** Returns the command with the given id. @throws if there is none, which is a programming error. */
export function findCommand(id: string): Command {
  const command = commands.find((candidate) => candidate.id === id);
  if (!command) throw new Error(`no command ${id}`);
  return command;
}

/** Returns menu entries that run the given commands. A disabled entry shows the reason. */
export function createCommandMenuEntries(ids: readonly string[], context: CommandContext): MenuEntry[] {
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
