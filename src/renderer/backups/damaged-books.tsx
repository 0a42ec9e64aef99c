import { ShieldAlert } from 'lucide-react';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { navigate } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';

const text = texts.backups;

/** Where the books cannot be opened, every screen says so, and leads to the copies of them. */
export function DamagedBooksBanner({ site }: { readonly site: string }) {
  const { error } = useQuery('check.summary', { site });
  const { data: kept } = useQuery('backups.list', error?.code === 'corrupt' ? { site } : null);
  if (error?.code !== 'corrupt' || !kept || kept.problem === null) return null;
  return (
    <div className="banner banner-warn" role="alert">
      <ShieldAlert size={14} aria-hidden="true" />
      <span className="banner-text">{text.damagedBanner}</span>
      <Button
        size="small"
        onPress={() => navigate({ screen: 'backups', item: kept.copies[0]?.name ?? null })}
      >
        {text.damagedLook}
      </Button>
    </div>
  );
}
