import { Subtitle2 } from '@fluentui/react-text';
import type { ReactNode } from 'react';

type Props = { title: string; card?: boolean; children: ReactNode };

/** A part of a view under a heading. @param card whether it has a border */
export function Section({ title, card = false, children }: Props) {
  return (
    <section className={card ? 'card' : 'section'}>
      <Subtitle2 as="h2" className="heading">
        {title}
      </Subtitle2>
      {children}
    </section>
  );
}
