import type { AnswerOf, EndpointName, RequestOf } from '../../shared/api.ts';
import type { Credential } from '../../shared/client.ts';
import type { Encoded } from '../../shared/wire/encode.ts';

/** What answers the endpoints for one credential. Every method throws a Problem for what a caller can be told. */
export type Administration = {
  readonly [Name in EndpointName]: (request: RequestOf<Name>) => Promise<AnswerOf<Name> | Encoded<AnswerOf<Name>>>;
};

/** Whether somebody waits for the answer, or it is work that can stand back for them. */
export type Priority = 'interactive' | 'background';

/** How a caller waits where requests must wait for their turn: a remote administration has a pace. */
export type Waiting = {
  /** Left out: interactive. */
  priority?: Priority;
  /** Milliseconds it waits for a turn, Infinity for as long as it takes. Left out: as the settings have it. */
  patience?: number;
  /** Ends the waiting. What was sent already is waited for: it is done or it is not. */
  signal?: AbortSignal;
};

/** The administrations behind the functions: ours, or a service elsewhere. */
export type Administrations = {
  /**
   * The administration a credential belongs to. A remote one finds out with the first request.
   * @throws Problem UNAUTHORIZED
   */
  open(credential: Credential, waiting?: Waiting): Promise<Administration>;
  /**
   * What `/health` says of them; throws when they cannot be reached. `status` is `degraded` when they are there but not well.
   */
  health(): Promise<{ status?: 'ok' | 'degraded' } & Record<string, unknown>>;
  close(): Promise<void>;
};
