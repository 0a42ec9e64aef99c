import type { Command } from './command.ts';

let commands: readonly Command[] = [];

/** Registers the commands of the window. Called once at startup, so that this folder does not depend on the screens. */
export function registerCommands(all: readonly Command[]): void {
  commands = all;
}

/** Returns all registered commands of the window. */
export function registeredCommands(): readonly Command[] {
  return commands;
}

/** Returns the command with the given id. @throws if there is none, which is a programming error. */
export function findCommand(id: string): Command {
  const command = commands.find((candidate) => candidate.id === id);
  if (!command) throw new Error(`no command ${id}`);
  return command;
}
