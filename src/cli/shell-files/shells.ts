import { formatBashCompletion } from './bash-completion.ts';
import type { CommandCompletion } from './completion-words.ts';
import { formatFishCompletion } from './fish-completion.ts';
import { formatZshCompletion } from './zsh-completion.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** Functions that format the completion script of each shell. */
export const completionFormats: Readonly<
  Record<Shell, (completions: readonly CommandCompletion[]) => string>
> = { bash: formatBashCompletion, zsh: formatZshCompletion, fish: formatFishCompletion };
