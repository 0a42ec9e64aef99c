import type { CheckRule, Site } from '../../contract/index.ts';
import { useQuery } from '../backend/hooks.ts';
import { CommandButton } from '../commands/use-commands.tsx';
import { Toggle } from '../controls/field.tsx';
import { Link } from '../controls/link.tsx';
import { Panel, Skeleton } from '../controls/pieces.tsx';
import { Moment } from '../controls/values.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { Screen } from '../frame/screen.tsx';
import { openDialog, showFiltered } from '../view/view.ts';
import { words } from '../words/words.ts';
import { SeverityStatus } from './looks.tsx';
import './exceptions.css';

const text = words.rules;
const scopes = ['statement', 'chain', 'payment', 'webhook', 'allocation'] as const;

/** Every rule there is, what it means, what it found, and whether it is on for this site. */
export function RulesScreen({ site }: { readonly site: Site }) {
  const { data: rules, error } = useQuery('check.rules', { site: site.site });
  return (
    <Screen title={text.title} actions={<CommandButton id="check.start" />}>
      <div className="page">
        <div className="page-inner">
          <p className="rules-lead">{text.lead}</p>
          {error && <ErrorNote error={error} site={site.site} />}
          {!rules && !error && <Skeleton lines={10} />}
          {scopes.map((scope) => {
            const mine = rules?.filter((rule) => rule.scope === scope) ?? [];
            return (
              mine.length > 0 && (
                <Panel key={scope} level={2} title={text.scopes[scope]}>
                  <ul className="rules">
                    {mine.map((rule) => (
                      <RuleRow key={rule.rule} rule={rule} />
                    ))}
                  </ul>
                </Panel>
              )
            );
          })}
        </div>
      </div>
    </Screen>
  );
}

function RuleRow({ rule }: { readonly rule: CheckRule }) {
  return (
    <li className={rule.enabled ? '' : 'rule-off'}>
      <div className="rule-head">
        <h3>{rule.title}</h3>
        <SeverityStatus severity={rule.severity} />
        <Found rule={rule} />
        <Toggle on={rule.enabled} onChange={() => openDialog({ kind: 'switchRule', rule })}>
          <span className="unseen">{text.enabled(rule.title)}</span>
          <span aria-hidden="true">{rule.enabled ? text.on : text.off}</span>
        </Toggle>
      </div>
      <p className="prose">{rule.explanation}</p>
      {rule.off && (
        <p className="rule-reason">
          {text.offSince(rule.off.who)}, <Moment at={rule.off.at} />: “{rule.off.reason}”
        </p>
      )}
      {rule.enabled && rule.idle && <p className="fineprint">{rule.idle}</p>}
    </li>
  );
}

function Found({ rule: { rule, open, accepted } }: { readonly rule: CheckRule }) {
  if (open === 0 && accepted === 0) return <span className="fineprint">{text.nothing}</span>;
  return (
    <span className="rule-found">
      {open > 0 && (
        <Link onPress={() => showFiltered('exceptions', { status: ['open'], rule: [rule] })}>
          {text.open(open)}
        </Link>
      )}
      {accepted > 0 && (
        <Link onPress={() => showFiltered('exceptions', { status: ['accepted'], rule: [rule] })}>
          {text.accepted(accepted)}
        </Link>
      )}
    </span>
  );
}
