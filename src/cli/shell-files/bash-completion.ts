import { type CommandCompletion, quoteForShell } from './completion-words.ts';

/** Returns the completion script for bash. Words without a candidate are completed as file names. */
export function formatBashCompletion(completions: readonly CommandCompletion[]): string {
  const values = completions.flatMap(({ path, values }) =>
    values.map(
      ({ flag, choices }) => `    ${quoteForShell(`${path} ${flag}`)}) ${reply(choices)}; return ;;`,
    ),
  );
  return `# Completion of tieout for bash. To load it: source <(tieout completion bash)
_tieout() {
  local word=\${COMP_WORDS[COMP_CWORD]} at= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
${joinCasePatterns(completions)}) at+=" \${COMP_WORDS[i]}" ;;
    esac
  done
  COMPREPLY=()
  case "$at \${COMP_WORDS[COMP_CWORD - 1]}" in
${values.join('\n')}
  esac
  case "$at" in
${completions.map(({ path, candidates }) => `    ${quoteForShell(path)}) ${reply(candidates.map(({ word }) => word))} ;;`).join('\n')}
  esac
}
complete -o default -F _tieout tieout
`;
}

/** Returns the paths of all commands as alternatives of a `case` pattern. */
export const joinCasePatterns = (completions: readonly CommandCompletion[]): string =>
  completions
    .filter(({ path }) => path !== '')
    .map(({ path }) => `      ${quoteForShell(path)}`)
    .join(' | \\\n');

const reply = (words: readonly string[]): string =>
  words.length === 0
    ? 'COMPREPLY=()'
    : `COMPREPLY=($(compgen -W ${quoteForShell(words.map((word) => word.replace(/[\s'"\\$`]/g, '\\$&')).join(' '))} -- "$word"))`;
