import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react';
import type { Outputs } from '../../contract/index.ts';
import { Segments } from '../controls/field.tsx';
import { Ago, useNow } from '../controls/values.tsx';
import { choose, useChosen } from '../settings/chosen.ts';
import { momentText } from '../words/moments.ts';
import { words } from '../words/words.ts';
import { missingText } from './missing.ts';
import type { NextSync } from './next.ts';
import { othersText } from './others.ts';
import { inBrief } from './summary.ts';
import { useNextSync } from './use-automatic-sync.ts';

const text = words.sync;
const ICONS = { good: CircleCheck, warn: CircleAlert, calm: CircleDashed } as const;

/** How things stand in one sentence, what comes next in another, and whether it comes by itself. */
export function Summary({
  site,
  status,
}: {
  readonly site: string;
  readonly status: Outputs['sync']['status'];
}) {
  const { tone, now, next } = inBrief(status);
  const missing = missingText(status);
  const Icon = ICONS[tone];
  const begins = useNextSync(site);
  const automatic = useChosen((chosen) => chosen['sync.automatic']);
  return (
    <section className={`sync-summary sync-${tone}`} aria-label={now}>
      <header>
        <Icon size={20} aria-hidden="true" />
        <h2>{now}</h2>
        {status.last && (
          <span className="fineprint">
            {status.last.ok ? text.lastSync : text.lastTry} <Ago at={status.last.at} />
          </span>
        )}
      </header>
      {missing && <p>{missing}</p>}
      {othersText(status).map((line) => (
        <p key={line}>{line}</p>
      ))}
      <p>
        {next} {begins && <Begins next={begins} />}
      </p>
      <Segments
        label={text.automatic}
        value={automatic}
        onChange={(value) => choose('sync.automatic', value)}
        options={(['never', 'back', 'often'] as const).map((value) => ({
          value,
          label: text.automaticChoices[value],
        }))}
      />
    </section>
  );
}

function Begins({ next }: { readonly next: NextSync }) {
  const now = useNow(20_000);
  if (next.by !== 'clock') return text.begins[next.by];
  return next.at <= now ? text.begins.soon : text.begins.clock(momentText(new Date(next.at).toISOString()));
}
