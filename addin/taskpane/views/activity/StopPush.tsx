import { Text } from '@fluentui/react-text';
import type { PushClient } from '../../../../shared/client/pushClient.ts';
import type { Push } from '../../../../shared/resources/push.ts';
import { usePane } from '../../paneContext.ts';
import { useJob } from '../../useJob.ts';
import { ErrorNotice } from '../ErrorNotice.tsx';
import { Status } from '../Status.tsx';
import { WorkButton } from '../WorkButton.tsx';

type Props = {
  push: Push;
  client: PushClient;
  /** When it began: the name of the button tells pushes apart. */
  moment: string;
};

/** Stops a push that is under way, without the sheet of its rows. */
export function StopPush({ push: { id, state }, client, moment }: Props) {
  const { messages } = usePane();
  const texts = messages.push;
  const { job, start } = useJob<never, Push>();
  if (state === 'cancelling' || job.state === 'done') return <Status>{texts.stopping}</Status>;
  return (
    <>
      <WorkButton
        size="small"
        aria-label={messages.labelled(texts.stop, moment)}
        onClick={() => start(({ signal }) => client.cancel(id, signal))}
      >
        {texts.stop}
      </WorkButton>
      <Text className="muted">{texts.stopMeaning}</Text>
      {job.state === 'failed' && <ErrorNotice error={job.error} onRetry={job.again} />}
    </>
  );
}
