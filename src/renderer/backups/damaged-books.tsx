import { ShieldAlert } from 'lucide-react';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { navigate } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';

const text = texts.backups;

/** Banner shown on every screen if the books cannot be opened. It links to the backups. */
export function DamagedBooksBanner({ site }: { readonly site: string }) {
  const { error } = useQuery('check.summary', { site });
  const { data: backups } = useQuery('backups.list', error?.code === 'corrupt' ? { site } : null);
  if (error?.code !== 'corrupt' || !backups || backups.problem === null) return null;
  return (
    <div className="banner banner-warn" role="alert">
      <ShieldAlert size={14} aria-hidden="true" />
      <span className="banner-text">{text.damagedBanner}</span>
      <Button
        size="small"
        onPress={() => navigate({ screen: 'backups', item: backups.copies[0]?.name ?? null })}
      >
        {text.showLatest}
      </Button>
    </div>
  );
}
