import { joinPatterns } from './bash-completion.ts';
import { type Candidate, type CommandCompletion, quote } from './completion-words.ts';

/** Returns the completion script for zsh. Words without a candidate complete as file names. */
export function formatZshCompletion(completions: readonly CommandCompletion[]): string {
  const values = completions.flatMap(({ path, values }) =>
    values.map(
      ({ flag, choices }) =>
        `    (${quote(`${path} ${flag}`)}) ${choices.length === 0 ? '_files' : `compadd -- ${choices.map(quote).join(' ')}`}; return ;;`,
    ),
  );
  return `#compdef tieout
# Completion of tieout for zsh. To load it: source <(tieout completion zsh)
_tieout() {
  local at= i
  local -a candidates
  for ((i = 2; i < CURRENT; i++)); do
    case "$at \${words[i]}" in
${joinPatterns(completions)}) at+=" \${words[i]}" ;;
    esac
  done
  case "$at \${words[CURRENT - 1]}" in
${values.join('\n')}
  esac
  case "$at" in
${completions.map(({ path, candidates }) => `    (${quote(path)}) candidates=(${candidates.map(formatCandidate).join(' ')}) ;;`).join('\n')}
  esac
  _describe -o 'tieout' candidates || _files
}
if [ "\${funcstack[1]}" = _tieout ]; then _tieout "$@"; else compdef _tieout tieout; fi
`;
}

const formatCandidate = ({ word, description }: Candidate): string =>
  quote(`${word.replaceAll(':', '\\:')}${description === '' ? '' : `:${description}`}`);
