import { Text } from '@fluentui/react-text';
import { useEffect, useState } from 'react';
import { DEMO_PATH, type DemoAdministration, demoAdministrations } from '../../../shared/client/demo.ts';
import { appAddress } from '../appAddress.ts';
import { usePane } from '../paneContext.ts';
import { WorkButton } from '../views/WorkButton.tsx';

type Props = { onChoose: (demo: DemoAdministration, name: string) => void };

/** Offers the credentials of the demo administrations, where the app has them. */
export function DemoOffer({ onChoose }: Props) {
  const texts = usePane().messages.home;
  const [demos, setDemos] = useState<DemoAdministration[]>([]);
  useEffect(() => {
    // Other apps have no demo, and respond with 404.
    fetch(`${appAddress()}/${DEMO_PATH}`)
      .then(async (response) => response.ok && setDemos(demoAdministrations.parse(await response.json())))
      .catch(() => {});
  }, []);
  if (demos.length === 0) return null;
  return (
    <section className="section">
      <Text>{texts.demo}</Text>
      <div className="side">
        {demos.map((demo) => (
          <WorkButton key={demo.username} size="small" onClick={() => onChoose(demo, texts.demoBooks[demo.country])}>
            {texts.demoBooks[demo.country]}
          </WorkButton>
        ))}
      </div>
    </section>
  );
}
