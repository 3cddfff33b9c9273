import { Button } from '@fluentui/react-button';
import type { ReactNode } from 'react';
import { usePane } from '../paneContext.ts';

type Props = {
  appearance?: 'primary' | 'secondary';
  'aria-label'?: string;
  children: ReactNode;
  onClick?: () => void;
  size?: 'small';
  type?: 'submit';
};

/** A button that starts work in the workbook: while other work runs it keeps the focus and does nothing. */
export function WorkButton(props: Props) {
  const { busy } = usePane();
  return <Button className="submit" disabledFocusable={busy} {...props} />;
}
