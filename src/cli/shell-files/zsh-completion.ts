import { joinCasePatterns } from './bash-completion.ts';
import { type CommandCompletion, type CompletionCandidate, quoteForShell } from './completion-words.ts';

/** Returns the completion script for zsh. Words without a candidate are completed as file names. */
export function formatZshCompletion(completions: readonly CommandCompletion[]): string {
  const values = completions.flatMap(({ path, values }) =>
    values.map(
      ({ flag, choices }) =>
        `    (${quoteForShell(`${path} ${flag}`)}) ${choices.length === 0 ? '_files' : `compadd -- ${choices.map(quoteForShell).join(' ')}`}; return ;;`,
    ),
  );
  return `#compdef tieout
# Completion of tieout for zsh. To load it: source <(tieout completion zsh)
_tieout() {
  local at= i
  local -a candidates
  for ((i = 2; i < CURRENT; i++)); do
    case "$at \${words[i]}" in
${joinCasePatterns(completions)}) at+=" \${words[i]}" ;;
    esac
  done
  case "$at \${words[CURRENT - 1]}" in
${values.join('\n')}
  esac
  case "$at" in
${completions.map(({ path, candidates }) => `    (${quoteForShell(path)}) candidates=(${candidates.map(formatCandidate).join(' ')}) ;;`).join('\n')}
  esac
  _describe -o 'tieout' candidates || _files
}
if [ "\${funcstack[1]}" = _tieout ]; then _tieout "$@"; else compdef _tieout tieout; fi
`;
}

const formatCandidate = ({ word, description }: CompletionCandidate): string =>
  quoteForShell(`${word.replaceAll(':', '\\:')}${description === '' ? '' : `:${description}`}`);
