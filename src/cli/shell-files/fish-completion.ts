import { joinCasePatterns } from './bash-completion.ts';
import { type CommandCompletion, type CompletionCandidate, quoteForShell } from './completion-words.ts';

/** Returns the completion script for fish. Words without a candidate are completed as file names. */
export function formatFishCompletion(completions: readonly CommandCompletion[]): string {
  const lines = completions.flatMap((completion) => {
    const at = `complete -c tieout -n ${quote(`__tieout_at ${quote(completion.path)}`)}`;
    return completion.candidates.map((candidate) => `${at} ${formatCandidate(candidate, completion)}`);
  });
  return `# Completion of tieout for fish. To load it: tieout completion fish | source
function __tieout_at
  set -l at ''
  for word in (commandline -opc)[2..]
    switch "$at $word"
      case ${joinCasePatterns(completions)
        .replace(/ \| \\\n\s+/g, ' ')
        .trim()}
        set at "$at $word"
    end
  end
  test "$at" = "$argv[1]"
end
${lines.join('\n')}
`;
}

function formatCandidate({ word, description }: CompletionCandidate, { values }: CommandCompletion): string {
  const text = description === '' ? '' : ` -d ${quote(description)}`;
  if (!word.startsWith('-')) return `-a ${quote(word)}${text}`;
  const name = word.startsWith('--') ? `-l ${word.slice(2)}` : `-s ${word.slice(1)}`;
  const choices = values.find(({ flag }) => flag === word)?.choices;
  if (choices === undefined) return name + text;
  return `${name}${choices.length === 0 ? ' -r' : ` -x -a ${quote(choices.join(' '))}`}${text}`;
}

/** Quotes a text for fish, where a backslash escapes quotes within quotes. */
const quote = (text: string): string =>
  quoteForShell(text.replaceAll('\\', '\\\\')).replaceAll("'\\''", "\\'");
