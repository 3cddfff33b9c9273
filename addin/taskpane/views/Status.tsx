import { createContext, type ReactNode, type Ref, useContext, useEffect, useState } from 'react';

/** Milliseconds that a region is there before its text: NVDA and JAWS read no text that comes together with its region. */
const ALONE_MS = 100;

const InRegion = createContext(false);

/** A region of which screen readers read out, in the next pause, what comes into it after it is there itself. */
export function StatusRegion({ ref, ...rest }: { ref?: Ref<HTMLDivElement>; className?: string; children: ReactNode }) {
  return (
    <InRegion value={true}>
      <div ref={ref} role="status" aria-atomic={false} {...rest} />
    </InRegion>
  );
}

/**
 * What screen readers read out in the next pause. It appears a moment after its region, unless it is in one already. It
 * has its room at once, so that nothing moves below a pointer that is about to click.
 */
export function Status({ children }: { children: ReactNode }) {
  const isInside = useContext(InRegion);
  const [isShown, setShown] = useState(isInside);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), ALONE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role={isInside ? undefined : 'status'}>
      <div style={isShown ? undefined : { visibility: 'hidden' }}>{children}</div>
    </div>
  );
}
