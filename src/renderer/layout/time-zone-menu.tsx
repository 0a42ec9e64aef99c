import { Clock } from 'lucide-react';
import { Button } from '../controls/button.tsx';
import { Menu } from '../controls/menu.tsx';
import {
  describeDisplayZone,
  formatZoneOffsets,
  timeZoneChoices,
  useDisplayZone,
} from '../texts/display-zone.ts';
import { texts } from '../texts/texts.ts';
import { changeUserSetting } from '../user-settings/user-settings.ts';

const text = texts.timeZones;

/** Button that names the time zone of the screen's times, with a menu for choosing another one. */
export function TimeZoneMenu() {
  const { choice: current, siteZone } = useDisplayZone();
  const zones = { site: siteZone, mine: undefined, utc: 'UTC' };
  const year = new Date().getUTCFullYear();
  return (
    <Menu
      label={text.label}
      placement="bottom start"
      trigger={
        <Button kind="quiet" size="small" icon={Clock}>
          <span className="visually-hidden">{text.label}: </span>
          {describeDisplayZone()}
        </Button>
      }
      groups={[
        {
          title: text.title,
          entries: timeZoneChoices.map((choice) => ({
            id: choice,
            label: text.choices[choice],
            hint:
              choice === 'utc'
                ? undefined
                : `${formatZoneOffsets(zones[choice], year)}. ${text.hints[choice]}`,
            isChecked: choice === current,
            run: () => changeUserSetting('time.zone', choice),
          })),
        },
      ]}
    />
  );
}
