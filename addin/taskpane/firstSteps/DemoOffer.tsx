import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import type { DemoAdministration } from '../../../shared/client/demo.ts';
import { usePane } from '../paneContext.ts';
import { readDemo } from './readDemo.ts';

const useStyles = makeStyles({
  offer: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS },
  choices: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
});

type Props = { onChoose: (demo: DemoAdministration, name: string) => void };

/** Offers the credentials of the demo administrations, where the app has them. */
export function DemoOffer({ onChoose }: Props) {
  const styles = useStyles();
  const { messages, busy } = usePane();
  const texts = messages.home;
  const [demos, setDemos] = useState<DemoAdministration[]>([]);
  useEffect(() => {
    readDemo().then(setDemos);
  }, []);
  if (demos.length === 0) return null;
  return (
    <section className={styles.offer}>
      <Text>{texts.demo}</Text>
      <div className={styles.choices}>
        {demos.map((demo) => (
          <Button
            key={demo.username}
            size="small"
            disabled={busy}
            onClick={() => onChoose(demo, texts.demoBooks[demo.country])}
          >
            {texts.demoBooks[demo.country]}
          </Button>
        ))}
      </div>
    </section>
  );
}
