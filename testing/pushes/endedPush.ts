import { setTimeout as passed } from 'node:timers/promises';
import type { PushClient } from '../../shared/client/pushClient.ts';
import type { Push, PushRow } from '../../shared/resources/push.ts';

/** Waits until a push has ended. @returns its rows by number */
export async function endedPush(client: PushClient, id: string): Promise<{ push: Push; rows: Map<number, PushRow> }> {
  const rows = new Map<number, PushRow>();
  for (let after = ''; ; ) {
    const changes = await client.changes(id, after);
    for (const row of changes.rows) rows.set(row.row!, row);
    after = changes.cursor;
    if (changes.push.state === 'ended' && !changes.more) return { push: changes.push, rows };
    await passed(50);
  }
}
