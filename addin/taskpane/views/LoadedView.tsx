import { Button } from '@fluentui/react-button';
import { type ComponentType, useCallback, useEffect, useState } from 'react';
import { reloadIfPossible } from '../loadPart.ts';
import { type Connected, usePane } from '../paneContext.ts';
import type { WorkView } from '../viewNames.ts';
import { Notice } from './Notice.tsx';
import { Status } from './Status.tsx';
import { ViewFrame } from './ViewFrame.tsx';
import { loadedView, loadView } from './workViews.tsx';

/** A view that is loaded when it is opened; if it does not arrive, the pane says so and tries again when asked. */
export function LoadedView({ name, ...properties }: Connected & { name: WorkView }) {
  const { messages } = usePane();
  const [found, setFound] = useState<{ View?: ComponentType<Connected>; isFailed?: boolean }>(() => {
    const View = loadedView(name);
    return View === undefined ? {} : { View };
  });
  const load = useCallback(async () => {
    try {
      const View = await loadView(name);
      setFound({ View });
    } catch {
      setFound({ isFailed: true });
    }
  }, [name]);
  const tryAgain = async () => {
    await load();
    if (loadedView(name) === undefined) await reloadIfPossible(name);
  };
  useEffect(() => {
    if (loadedView(name) === undefined) void load();
  }, [name, load]);

  const { View, isFailed } = found;
  if (View !== undefined) return <View {...properties} />;
  return (
    <ViewFrame title={messages[name].title}>
      {isFailed ? (
        <>
          <Notice intent="error">
            {messages.notLoaded.title}. {messages.notLoaded.explanation}
          </Notice>
          <Button onClick={tryAgain}>{messages.tryAgain}</Button>
        </>
      ) : (
        <Status>{messages.loading}</Status>
      )}
    </ViewFrame>
  );
}
