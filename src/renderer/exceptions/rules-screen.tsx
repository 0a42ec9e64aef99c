import type { CheckRule, Site } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { ToggleSwitch } from '../controls/form-fields.tsx';
import { DateTime } from '../controls/formatted-values.tsx';
import { Link } from '../controls/link.tsx';
import { Panel } from '../controls/panel.tsx';
import { Skeleton } from '../controls/skeleton.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { ScreenLayout } from '../layout/screen-layout.tsx';
import { openDialog, openFilteredList } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { SeverityBadge } from './status-badges.tsx';
import './exceptions.css';

const text = texts.rules;
const scopes = ['statement', 'chain', 'payment', 'webhook', 'allocation'] as const;

/** Screen that lists every rule with its explanation, its exception counts, and a switch for this site. */
export function RulesScreen({ site }: { readonly site: Site }) {
  const { data: rules, error } = useQuery('check.rules', { site: site.site });
  return (
    <ScreenLayout title={text.title} actions={<CommandButton id="check.start" />}>
      <div className="page">
        <div className="page-inner">
          <p className="rules-lead">{text.lead}</p>
          {error && <ErrorMessage error={error} site={site.site} />}
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
    </ScreenLayout>
  );
}

function RuleRow({ rule }: { readonly rule: CheckRule }) {
  return (
    <li className={rule.enabled ? '' : 'rule-off'}>
      <div className="rule-head">
        <h3>{rule.title}</h3>
        <SeverityBadge status={rule.severity} />
        <ExceptionCounts rule={rule} />
        <ToggleSwitch on={rule.enabled} onChange={() => openDialog({ kind: 'switchRule', rule })}>
          <span className="visually-hidden">{text.enabled(rule.title)}</span>
          <span aria-hidden="true">{rule.enabled ? text.on : text.off}</span>
        </ToggleSwitch>
      </div>
      <p className="prose">{rule.explanation}</p>
      {rule.off && (
        <p className="rule-reason">
          {text.offSince(rule.off.user)}, <DateTime at={rule.off.at} />: “{rule.off.reason}”
        </p>
      )}
      {rule.enabled && rule.idle && <p className="fineprint">{rule.idle}</p>}
    </li>
  );
}

function ExceptionCounts({ rule: { rule, open, accepted } }: { readonly rule: CheckRule }) {
  if (open === 0 && accepted === 0) return <span className="fineprint">{text.noExceptions}</span>;
  return (
    <span className="rule-found">
      {open > 0 && (
        <Link onPress={() => openFilteredList('exceptions', { status: ['open'], rule: [rule] })}>
          {text.open(open)}
        </Link>
      )}
      {accepted > 0 && (
        <Link onPress={() => openFilteredList('exceptions', { status: ['accepted'], rule: [rule] })}>
          {text.accepted(accepted)}
        </Link>
      )}
    </span>
  );
}
