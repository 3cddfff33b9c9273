import { makeStyles, Subtitle2, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { useFormStyles } from './ViewFrame.tsx';

const useStyles = makeStyles({
  section: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS },
});

type Props = { title: string; card?: boolean; children: ReactNode };

/** A part of a view under a heading. @param card whether it has a border */
export function Section({ title, card = false, children }: Props) {
  const styles = useStyles();
  const form = useFormStyles();
  return (
    <section className={card ? form.card : styles.section}>
      <Subtitle2 as="h2" className={form.heading}>
        {title}
      </Subtitle2>
      {children}
    </section>
  );
}
