import type { ReactNode } from 'react';
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components';
import './controls.css';

interface TabsProps<T extends string> {
  readonly label: string;
  readonly tabs: readonly {
    readonly id: T;
    readonly title: string;
    readonly count?: number | null;
    readonly body: () => ReactNode;
  }[];
  readonly chosen: T;
  readonly onChoose: (id: T) => void;
}

export function Tabs<T extends string>({ label, tabs, chosen, onChoose }: TabsProps<T>) {
  return (
    <AriaTabs className="tabs" selectedKey={chosen} onSelectionChange={(key) => onChoose(String(key) as T)}>
      <TabList className="tab-list" aria-label={label}>
        {tabs.map((tab) => (
          <Tab key={tab.id} id={tab.id} className="tab">
            {tab.title}
            {tab.count !== undefined && tab.count !== null && <span className="tab-count">{tab.count}</span>}
          </Tab>
        ))}
      </TabList>
      {tabs.map((tab) => (
        <TabPanel key={tab.id} id={tab.id} className="tab-panel">
          {tab.body()}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
