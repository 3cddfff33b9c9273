import { Subtitle2 } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { useFormStyles } from './ViewFrame.tsx';

type Props = { title: string; card?: boolean; children: ReactNode };

/** A part of a view under a heading. @param card whether it has a border */
export function Section({ title, card = false, children }: Props) {
  const styles = useFormStyles();
  return (
    <section className={card ? styles.card : styles.section}>
      <Subtitle2 as="h2" className={styles.heading}>
        {title}
      </Subtitle2>
      {children}
    </section>
  );
}
